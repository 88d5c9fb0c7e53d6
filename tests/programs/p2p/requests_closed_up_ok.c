/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: Wait completes its own request only, wherever the program keeps it.
 *
 * Three sends are under way. The first is complete, and the program closes the gap in its array, as std::vector::erase does. Then it
 * waits for the last one, by a variable that the second had before, and stores to its buffer. (Small sends have the same
 * request in both MPIs, so that a tool that goes by variables takes the second for complete.)
 */
#include <mpi.h>

static int values[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[3];
    if (rank == 0) {
        MPI_Isend(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &req[0]);
        MPI_Isend(&values[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &req[1]);
        MPI_Isend(&values[2], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &req[2]);
        MPI_Wait(&req[0], MPI_STATUS_IGNORE);
        req[0] = req[1];
        req[1] = req[2];
        MPI_Wait(&req[1], MPI_STATUS_IGNORE);
        values[2] = 1;
        MPI_Wait(&req[0], MPI_STATUS_IGNORE);
    } else {
        for (int i = 0; i < 3; i++)
            MPI_Recv(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
