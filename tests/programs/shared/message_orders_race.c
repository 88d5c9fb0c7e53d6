/* ranks: 3 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §3: any happens-before edge will do, here messages through a third rank.
 *
 * The chain is broken: rank 1 does not wait for rank 0.
 */
#include <mpi.h>

volatile double seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *mine, *other;
    int unit, token = 0;
    MPI_Aint size;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &other);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        mine[0] = 1.0; /* A */
        MPI_Win_sync(win);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(win);
        seen = other[0]; /* B */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
