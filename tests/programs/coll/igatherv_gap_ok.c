/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: bytes are exact; a vector collective touches the blocks given by its counts and
 * displacements.
 *
 * The root stores between the blocks.
 */
#include <mpi.h>

static int mine[3], all[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int counts[2] = {3, 3}, at[2] = {0, 4};
    MPI_Igatherv(mine, 3, MPI_INT, all, counts, at, MPI_INT, 0, MPI_COMM_WORLD, &req); /* A */
    if (rank == 0)
        all[3] = 1;
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
