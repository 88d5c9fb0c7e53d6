/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: a communicator's constructor orders from its start to its completion: of MPI_Comm_idup that is the wait.
 *
 * The wait comes before the load.
 */
#include <mpi.h>

static _Alignas(64) int memory[1];

int main(int argc, char **argv)
{
    int rank, value = 3, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Comm copy;
    MPI_Request req;
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &req);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    if (rank == 1)
        sum = memory[0];
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return sum < 0;
}
