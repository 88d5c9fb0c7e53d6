/* ranks: 2 */
/* Every second element is overwritten by a second put of a vector type, in the hope that it comes later. */
#include "latent.h"

int main(int argc, char **argv)
{
    begin_window(&argc, &argv);
    if (rank == 0) {
        int all[8] = {1, 1, 1, 1, 1, 1, 1, 1}, some[4] = {2, 2, 2, 2};
        MPI_Datatype every_second;
        MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
        MPI_Type_commit(&every_second);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(all, 8, MPI_INT, 1, 0, 8, MPI_INT, win);
        REPAIR(MPI_Win_flush(1, win));
        MPI_Put(some, 4, MPI_INT, 1, 0, 1, every_second, win);
        MPI_Type_free(&every_second);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(rank != 1 || (window[2] == 2 && window[3] == 1));
    return end_window();
}
