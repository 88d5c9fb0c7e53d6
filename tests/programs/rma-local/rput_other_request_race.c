/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §2: a request stands for one operation; waiting for one Rput says nothing about
 * another.
 *
 * The second Rput's origin is overwritten when only the first has completed.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    int value[2] = {1, 2};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Rput(&value[0], 1, MPI_INT, 1, 0, 1, MPI_INT, win, &req[0]);
        MPI_Rput(&value[1], 1, MPI_INT, 1, 1, 1, MPI_INT, win, &req[1]); /* A */
        MPI_Wait(&req[0], MPI_STATUS_IGNORE);
        value[0] = 3;
        value[1] = 4; /* B */
        MPI_Wait(&req[1], MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
