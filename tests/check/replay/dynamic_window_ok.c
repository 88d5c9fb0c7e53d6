/* expect: none */
/* semantics §4: a put into attached memory is over at the flush; the message comes after it, or before. */
#include <mpi.h>
#include <stddef.h>

static double cells[8];
volatile double seen;

int main(int argc, char **argv)
{
    int rank;
    double value = 1;
    MPI_Aint place = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_attach(win, cells, sizeof cells);
        MPI_Get_address(&cells[3], &place);
    }
    MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_DOUBLE, 1, place, 1, MPI_DOUBLE, win);
        MPI_Win_flush(1, win);
        MPI_Send(NULL, 0, MPI_INT, 1, 7, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = cells[3];
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Win_detach(win, cells);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
