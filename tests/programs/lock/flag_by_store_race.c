/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §3: an epoch that stores into its own window under its lock writes it as a put would.
 *
 * The owner changes the data after it has published the flag.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];
static _Alignas(64) int flag_mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int seen = 0;
    MPI_Win flag_win;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(flag_mem, sizeof flag_mem, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag_win);
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flag_win);
        flag_mem[0] = 1;
        MPI_Win_unlock(1, flag_win);
        mem[0] = 5; /* B */
    } else {
        for (int flag = 0; !flag;) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flag_win);
            MPI_Get(&flag, 1, MPI_INT, 1, 0, 1, MPI_INT, flag_win);
            MPI_Win_unlock(1, flag_win);
        }
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&flag_win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
