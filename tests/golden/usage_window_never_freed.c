/* Windows should be freed before MPI_Finalize. Only for Open MPI: MPICH 4.0.2 with UCX may abort in MPI_Finalize then. */
/* mpi: openmpi */
/* ranks: 2 */
/* expect-warning: usage 14 - */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, value = 1, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Finalize();
    return 0;
}
