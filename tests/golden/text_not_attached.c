/* What is not attached. */
/* expect: usage 25 - */
/* says: When rank 0 issues the put, it cannot know that all of the 8 bytes that this touches are attached: */
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
        MPI_Win_attach(win, memory, 4 * sizeof(long));
        MPI_Get_address(&memory[4], &address);
    }
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_LONG, 1, address, 1, MPI_LONG, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Win_detach(win, memory);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
