// ranks: 2
// needs: cc
// expect: local-race A B
// semantics §1: the elements of a std::vector are a buffer like any other.
//
// An element is assigned before the Isend has completed.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> data(8, 1.0);
    MPI_Request req;
    if (rank == 0) {
        MPI_Isend(data.data(), 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); // A
        data[7] = 2.0; // B
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data.data(), 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
