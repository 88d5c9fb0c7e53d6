/* expect: none */
/* Updates at random places of a distributed table. Puts of two processes meet; accumulates may. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PER_PROCESS = 16, UPDATES = 64 };

struct table {
    int size, rank;
    uint64_t *cells;
    MPI_Win win;
};

static void table_open(struct table *t)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->size);
    if (MPI_Win_allocate(PER_PROCESS * sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &t->cells, &t->win) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, t->rank, 0, t->win);
    for (int i = 0; i < PER_PROCESS; i++)
        t->cells[i] = (uint64_t)i;
    MPI_Win_unlock(t->rank, t->win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void update(struct table *t, long index, uint64_t *value)
{
    int owner = (int)(index / PER_PROCESS);
    MPI_Aint place = index % PER_PROCESS;
    MPI_Accumulate(value, 1, MPI_UINT64_T, owner, place, 1, MPI_UINT64_T, MPI_BXOR, t->win);
    MPI_Win_flush(owner, t->win);
}

static void run(struct table *t, int updates)
{
    MPI_Win_lock_all(0, t->win);
    for (int i = 0; i < updates; i++) {
        uint64_t value = (uint64_t)rand();
        update(t, rand() % ((long)PER_PROCESS * t->size), &value);
    }
    MPI_Win_unlock_all(t->win);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    struct table t;
    double start;
    MPI_Init(&argc, &argv);
    table_open(&t);
    srand((unsigned)time(NULL) + (unsigned)t.rank);
    start = MPI_Wtime();
    run(&t, UPDATES);
    if (t.rank == 0)
        printf("%g updates per second\n", UPDATES * t.size / (MPI_Wtime() - start));
    MPI_Win_free(&t.win);
    MPI_Finalize();
    return 0;
}
