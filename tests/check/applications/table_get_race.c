/* expect: local-race A B */
/* expect: local-race A A */
/* A table that is spread over all processes: an entry is used before the get is complete. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    MPI_Win win;
    double *part;
    int per_rank, nranks;
} table;

typedef struct {
    long key;
    double value;
} entry;

static int table_create(table *t, int per_rank)
{
    int error = MPI_Comm_size(MPI_COMM_WORLD, &t->nranks);
    if (error != MPI_SUCCESS)
        return error;
    t->per_rank = per_rank;
    error = MPI_Win_allocate(per_rank * (MPI_Aint)sizeof(entry), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &t->part, &t->win);
    if (error != MPI_SUCCESS)
        return error;
    return MPI_Win_lock_all(0, t->win);
}

static int table_destroy(table *t)
{
    int error = MPI_Win_unlock_all(t->win);
    return error != MPI_SUCCESS ? error : MPI_Win_free(&t->win);
}

static int fetch(table *t, long key, entry *result)
{
    int owner = (int)(key / t->per_rank) % t->nranks;
    MPI_Aint at = key % t->per_rank * (MPI_Aint)sizeof(entry);
    int error = MPI_Get(result, sizeof *result, MPI_BYTE, owner, at, sizeof *result, MPI_BYTE, t->win); /* A */
    if (error != MPI_SUCCESS)
        return error;
    return MPI_SUCCESS;
}

static double sum_of(table *t, const long *keys, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        entry e;
        if (fetch(t, keys[i], &e) != MPI_SUCCESS) {
            fprintf(stderr, "key %ld cannot be read\n", keys[i]);
            continue;
        }
        sum += e.value; /* B */
    }
    MPI_Win_flush_all(t->win);
    return sum;
}

int main(int argc, char **argv)
{
    table t;
    long keys[10];
    MPI_Init(&argc, &argv);
    if (table_create(&t, 100) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 10; i++)
        keys[i] = i * 37L;
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%g\n", sum_of(&t, keys, 10));
    MPI_Barrier(MPI_COMM_WORLD);
    if (table_destroy(&t) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}
