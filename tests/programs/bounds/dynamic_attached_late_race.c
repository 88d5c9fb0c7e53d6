/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8 (Out of the window): whoever puts must know that the memory is attached: that it
 * was in time is luck.
 *
 * The address is sent before the memory is attached.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static long memory[16];
    long value = 1;
    MPI_Aint address = 0;
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 1) {
        MPI_Get_address(memory, &address);
        MPI_Send(&address, 1, MPI_AINT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_attach(win, memory, 4 * sizeof(long));
    } else {
        MPI_Recv(&address, 1, MPI_AINT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_LONG, 1, address, 1, MPI_LONG, win); /* A */
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
