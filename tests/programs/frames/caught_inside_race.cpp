// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: an exception that is caught in the function leaves the frames of what it called, not the function's own.
//
// The array is that of the function which throws.
#include <mpi.h>
#include <stdexcept>

static MPI_Request req = MPI_REQUEST_NULL;

static void fail(int *outer, int n) // B
{
    int own[5] = {n, n, n, n, n}, *row;
    row = own;
    outer[1] = own[n % 5];
    MPI_Isend(row, 5, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    if (n > 0)
        throw std::runtime_error("as meant");
    MPI_Wait(&req, MPI_STATUS_IGNORE);
}

static void attempt(int n)
{
    int row[5] = {0, 1, 2, 3, 4};
    try {
        fail(row, n);
    } catch (const std::exception &) {
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, row[5];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        attempt(argc);
    else
        MPI_Recv(row, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
