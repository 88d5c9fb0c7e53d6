/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: memory that is given back counts as a store. (The message is empty, or the heap would suffer.)
 *
 * The vector lives as long as the program.
 */
#include <mpi.h>
#include <vector>

static MPI_Request request;

static void receive(int other)
{
    static std::vector<double> values(4);
    MPI_Irecv(values.data(), 4, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &request); /* A */
} /* B */

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    receive(1 - rank);
    MPI_Send(&rank, 0, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
