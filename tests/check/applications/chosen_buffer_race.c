/* expect: local-race A B */
/* Which of two buffers is sent depends on the arguments; it is the one that is written. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct buffers {
    int *large, *small;
    int n;
};

static struct buffers buffers_make(int n)
{
    struct buffers b = {malloc(n * sizeof(int)), malloc(16 * sizeof(int)), n};
    if (!b.large || !b.small) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return b;
}

static int *pick(const struct buffers *b, int want)
{
    return want > 16 ? b->large : b->small;
}

static void mark(int *buffer)
{
    buffer[0] = -1; /* B */
}

int main(int argc, char **argv)
{
    int rank, size, in[16];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct buffers b = buffers_make(1000);
    int want = argc > 1 ? atoi(argv[1]) : 8;
    int *chosen = pick(&b, want);
    MPI_Isend(chosen, 16, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Recv(in, 16, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    mark(chosen);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d\n", in[0]);
    free(b.large);
    free(b.small);
    MPI_Finalize();
    return 0;
}
