/* expect-sources: shared-window A B */
/* One process of a node reads the table into shared memory, the others use it without waiting for it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct shared_table {
    MPI_Comm node;
    MPI_Win win;
    double *entries;
    int n, node_rank;
};

static void table_open(struct shared_table *t, int n)
{
    MPI_Aint bytes;
    int unit;
    double *own;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &t->node);
    MPI_Comm_rank(t->node, &t->node_rank);
    t->n = n;
    MPI_Win_allocate_shared(t->node_rank == 0 ? (MPI_Aint)n * (MPI_Aint)sizeof(double) : 0, sizeof(double), MPI_INFO_NULL, t->node,
                            &own, &t->win);
    MPI_Win_shared_query(t->win, 0, &bytes, &unit, &t->entries);
    if (bytes < (MPI_Aint)n * unit)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, t->win);
}

static void table_fill(struct shared_table *t)
{
    if (t->node_rank == 0)
        for (int i = 0; i < t->n; i++)
            t->entries[i] = 1.0 / (i + 1); /* A */
    MPI_Win_sync(t->win);
}

static double table_lookup(const struct shared_table *t, double x)
{
    int i = (int)(x * (t->n - 1));
    double w = x * (t->n - 1) - i;
    return (1 - w) * t->entries[i] + w * t->entries[i + 1 < t->n ? i + 1 : i]; /* B */
}

static void table_close(struct shared_table *t)
{
    MPI_Win_unlock_all(t->win);
    MPI_Win_free(&t->win);
    MPI_Comm_free(&t->node);
}

int main(int argc, char **argv)
{
    struct shared_table t;
    double sum = 0;
    MPI_Init(&argc, &argv);
    table_open(&t, 101);
    table_fill(&t);
    for (int i = 0; i < 20; i++)
        sum += table_lookup(&t, i / 20.0);
    printf("%g\n", sum);
    table_close(&t);
    MPI_Finalize();
    return 0;
}
