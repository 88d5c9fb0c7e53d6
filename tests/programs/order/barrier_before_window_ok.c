/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: a barrier orders all its callers, also one that entered it when no window existed yet and that is in no
 * window itself: the put → barrier with rank 2 → message of rank 2 → get.
 *
 * The message is received before the get.
 */
#include <mpi.h>
#include <unistd.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank, one = 1, seen = 0, token = 0;
    MPI_Comm outer, inner; /* ranks 0 and 2; ranks 0 and 1 */
    MPI_Win win = MPI_WIN_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1, rank, &outer);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &inner);
    MPI_Barrier(outer);
    MPI_Barrier(outer);
    if (rank == 2) {
        MPI_Barrier(outer);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        usleep(300000); /* rank 2 is waiting by now */
        MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, inner, &win);
        MPI_Win_lock_all(0, win);
        if (rank == 0) {
            MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
            MPI_Win_flush(1, win);
            MPI_Barrier(outer);
            MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
            MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    MPI_Comm_free(&outer);
    MPI_Comm_free(&inner);
    MPI_Finalize();
    return 0;
}
