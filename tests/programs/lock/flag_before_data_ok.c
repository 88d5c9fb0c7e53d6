/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: an unlock passes on what was done before it, not after.
 *
 * The data are put, and flushed, before the flag's epoch.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
static _Alignas(64) int flag_mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Win flag_win;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(flag_mem, sizeof flag_mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag_win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flag_win);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, flag_win);
        MPI_Win_unlock(1, flag_win);
    } else {
        for (int flag = 0; !flag;) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, flag_win);
            MPI_Get(&flag, 1, MPI_INT, 1, 0, 1, MPI_INT, flag_win);
            MPI_Win_unlock(1, flag_win);
        }
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&flag_win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
