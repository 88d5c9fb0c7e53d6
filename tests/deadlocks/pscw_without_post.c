/* The target forgets MPI_Win_post.
 * ranks: 2
 * stuck: 0 MPI_Win_complete|MPI_Win_start|MPI_Put 18-20
 * stuck: 1 MPI_Barrier 22
 * cycle: 0 1 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, memory = 0, x = 1, target = 1;
    MPI_Win win;
    MPI_Group world, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &target, &group); if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
