/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3: a barrier made of a counter: who reads the last value, or a later one, knows all
 * who counted before.
 *
 * The ranks count but do not wait for the others.
 */
#include <mpi.h>

static _Alignas(64) int mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, value = rank, all[3];
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, 1 + rank, 1, MPI_INT, win); /* A */
    MPI_Win_flush(0, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(0, win);
    MPI_Get(all, 3, MPI_INT, 0, 1, 3, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
