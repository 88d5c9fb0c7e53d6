/* The origin forgets MPI_Win_complete.
 * ranks: 2
 * stuck: 0 MPI_Barrier 22
 * stuck: 1 MPI_Win_wait 20
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory = 0, origin = 0;
    MPI_Win win;
    MPI_Group world, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &origin, &group);
    if (rank == 1) {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
