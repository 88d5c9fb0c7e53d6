/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3 and §8: post, start, complete and wait order and synchronise direct accesses of the partners as well.
 *
 * The owner looks behind the wait.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, sum = 0, other, *mine, *theirs;
    MPI_Aint size;
    MPI_Win win;
    MPI_Group world, partner;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate_shared(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, other, &size, &unit, &theirs);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &partner);
    if (rank == 0) {
        MPI_Win_start(partner, 0, win);
        theirs[3] = 4;
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(partner, 0, win);
        MPI_Win_wait(win);
        sum = mine[3];
    }
    MPI_Group_free(&world);
    MPI_Group_free(&partner);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
