/* The target uses the window with post and wait, which has nothing to do with two others that lock it. */
/* expect: remote-race 29 34 */
/* says: 's MPI_Win_unlock (text_lock_beside_pscw.c:3 */
/* says-not: MPI_Win_wait */
/* ranks: 4 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, zero = 0, one = 1;
    MPI_Win win;
    MPI_Group world, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, rank == 0 ? &one : &zero, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else if (rank == 1) {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        value = 0;
    } else if (rank == 3) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return value > 1;
}
