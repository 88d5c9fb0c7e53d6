/* ranks: 2
 * at: 1 - 22
 * cycle: none */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>


int main(int argc, char **argv)
{
    int rank, size, x = 1, y = 0, flag = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win win;
    MPI_Group world, group;
    int memory = 0, other = 1 - rank;
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group); if (rank == 1)
        sleep(60);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
