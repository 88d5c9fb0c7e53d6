/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Locked and exposed): nor must a process post while its window is locked.
 *
 * It does.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, value = 1;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Group world, partner;
    int peer = rank == 1 ? 2 : 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &partner);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win); /* A */
        MPI_Win_unlock(1, win);
        MPI_Send(&value, 0, MPI_LONG, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&value, 0, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_post(partner, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(partner, 0, win);
        MPI_Accumulate(&value, 1, MPI_LONG, 1, 2, 1, MPI_LONG, MPI_SUM, win); /* B */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&partner);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
