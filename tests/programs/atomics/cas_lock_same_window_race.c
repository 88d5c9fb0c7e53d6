/* ranks: 4 */
/* needs: run */
/* expect: remote-race A A */
/*
 * semantics §3, atomics as synchronisation: a lock of compare-and-swap, given back by compare-and-swap,
 * beside what it protects.
 *
 * One flush behind the release completes both, too late for the next holder.
 */
#include <mpi.h>

enum { LOCK, DATA, HOST = 1 };
static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int taken = 1, nobody = 0, seen, mine = rank;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    do {
        MPI_Compare_and_swap(&taken, &nobody, &seen, MPI_INT, HOST, LOCK, win);
        MPI_Win_flush_local(HOST, win);
    } while (seen);
    MPI_Put(&mine, 1, MPI_INT, HOST, DATA, 1, MPI_INT, win); /* A */
    MPI_Compare_and_swap(&nobody, &taken, &seen, MPI_INT, HOST, LOCK, win);
    MPI_Win_flush(HOST, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
