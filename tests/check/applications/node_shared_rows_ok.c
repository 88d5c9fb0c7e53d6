/* expect: none */
/* Processes of a node share a table by rows; the row above is read without a barrier. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 16 };

struct node {
    MPI_Comm comm;
    int rank, size;
    double *row, *above;
    MPI_Win win;
};

static void node_open(struct node *n)
{
    MPI_Aint bytes;
    int unit;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &n->comm);
    MPI_Comm_rank(n->comm, &n->rank);
    MPI_Comm_size(n->comm, &n->size);
    MPI_Win_allocate_shared(COLUMNS * sizeof(double), sizeof(double), MPI_INFO_NULL, n->comm, &n->row, &n->win);
    n->above = NULL;
    if (n->rank > 0)
        MPI_Win_shared_query(n->win, n->rank - 1, &bytes, &unit, &n->above);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, n->win);
}

static void node_barrier(struct node *n)
{
    MPI_Win_sync(n->win);
    MPI_Barrier(n->comm);
    MPI_Win_sync(n->win);
}

static void fill(struct node *n, int step)
{
    for (int i = 0; i < COLUMNS; i++)
        n->row[i] = n->rank + 0.1 * step;
}

static double sum_above(const struct node *n)
{
    double sum = 0;
    for (int i = 0; n->above && i < COLUMNS; i++)
        sum += n->above[i];
    return sum;
}

static void node_close(struct node *n)
{
    MPI_Win_unlock_all(n->win);
    MPI_Win_free(&n->win);
    MPI_Comm_free(&n->comm);
}

int main(int argc, char **argv)
{
    struct node n;
    double sum = 0;
    MPI_Init(&argc, &argv);
    node_open(&n);
    for (int step = 0; step < 3; step++) {
        fill(&n, step);
        node_barrier(&n);
        sum += sum_above(&n);
        node_barrier(&n);
    }
    printf("%g\n", sum);
    node_close(&n);
    MPI_Finalize();
    return 0;
}
