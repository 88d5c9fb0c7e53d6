/* expect: local-race A B */
/* Gets with requests of their own; the wait is for another one than that whose data is used. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

struct field {
    double *cells;
    MPI_Win win;
};

static void field_make(struct field *f)
{
    MPI_Win_allocate(N * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f->cells, &f->win);
    for (int i = 0; i < N; i++)
        f->cells[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, f->win);
}

static void fetch(struct field *f, int from, double *into, MPI_Request *request)
{
    MPI_Rget(into, N, MPI_DOUBLE, from, 0, N, MPI_DOUBLE, f->win, request); /* A */
}

static double mean(const double *values)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += values[i]; /* B */
    return sum / N;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct field f;
    double left[N], right[N];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field_make(&f);
    fetch(&f, (rank + size - 1) % size, left, &requests[0]);
    fetch(&f, (rank + 1) % size, right, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    double all = mean(left) + mean(right);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    printf("%g\n", all);
    MPI_Win_unlock_all(f.win);
    MPI_Win_free(&f.win);
    MPI_Finalize();
    return 0;
}
