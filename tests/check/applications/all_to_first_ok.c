/* expect: none */
/* Every process puts its result to the same place of the first one's window. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct results {
    double *table;
    MPI_Win win;
};

static int open_results(struct results *r, int n)
{
    r->table = calloc(n, sizeof(double));
    if (!r->table)
        return -1;
    return MPI_Win_create(r->table, n * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &r->win);
}

static void publish(struct results *r, double value, int rank)
{
    (void)rank;
    MPI_Win_fence(0, r->win);
    MPI_Put(&value, 1, MPI_DOUBLE, 0, rank, 1, MPI_DOUBLE, r->win);
    MPI_Win_fence(0, r->win);
}

static double compute(int rank)
{
    double x = rank;
    for (int i = 0; i < 1000; i++)
        x = 0.5 * x + 1;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct results r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 3) {
        fprintf(stderr, "three processes at least\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (open_results(&r, size)) {
        fprintf(stderr, "%d: no window\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    publish(&r, compute(rank), rank);
    if (rank == 0)
        printf("%g\n", r.table[0]);
    MPI_Win_free(&r.win);
    free(r.table);
    MPI_Finalize();
    return 0;
}
