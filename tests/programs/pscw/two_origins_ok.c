/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: one exposure epoch orders nothing between its origins.
 *
 * Each has its own element.
 */
#include <mpi.h>

static _Alignas(64) int mem[2];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world, peers;
    int value = rank, target = 0, origins[2] = {1, 2};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        MPI_Group_incl(world, 2, origins, &peers);
        MPI_Win_post(peers, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Group_incl(world, 1, &target, &peers);
        MPI_Win_start(peers, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, rank - 1, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&peers);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
