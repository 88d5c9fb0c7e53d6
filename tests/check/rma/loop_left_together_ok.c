/* Everybody leaves a loop with a fence in it together: who sums is not met by puts of an iteration that comes next. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rounds(void);

int main(int argc, char **argv)
{
    int *window, one = 1, sum = 0, rank, size;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(4 * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_fence(0, win);
    for (int i = rounds(); i > 0; i--) {
        MPI_Put(&one, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        one++;
    }
    for (int i = 0; i < 4; i++)
        sum += window[i];
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    printf("%d\n", sum);
    return 0;
}

/* Not known here, but the same in all processes. */
static int rounds(void)
{
    int n = 0;
    FILE *file = fopen("/etc/rounds", "r");
    if (!file || fscanf(file, "%d", &n) != 1)
        exit(1);
    fclose(file);
    return n;
}
