/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §5: a load polled in a loop against a concurrent put is a race; an atomic read against
 * an atomic write is not.
 *
 * The flag is put and polled by plain loads (a limited number of times).
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    } else {
        for (int spin = 0; spin < 1000; spin++) {
            if (*(volatile int *)mem != 0) /* B */
                break;
            MPI_Win_sync(win);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
