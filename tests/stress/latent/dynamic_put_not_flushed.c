/* ranks: 2 */
/* A put into attached memory that nothing completes before the barrier. */
#include "latent.h"

int main(int argc, char **argv)
{
    static int memory[8];
    MPI_Aint addresses[2], mine;
    begin(&argc, &argv);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Get_address(memory, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, addresses, 1, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        int value = 4, seen = 0;
        MPI_Put(&value, 1, MPI_INT, 1, addresses[1], 1, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Get(&seen, 1, MPI_INT, 1, addresses[1], 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        EXPECT(seen == 4);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, memory);
    return end_window();
}
