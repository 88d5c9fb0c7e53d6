// ranks: 2
// needs: cc
// expect: local-race A B
// semantics §1: code of a header that works on a buffer in use; the place is the line that calls it.
//
// std::sort runs before the wait. Its loads and stores, in a dozen functions of the library, are one finding.
#include <algorithm>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<float> row(1000);
    for (int i = 0; i < 1000; i++)
        row[i] = i * 7919 % 1000;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(row.data(), 1000, MPI_FLOAT, 1, 0, MPI_COMM_WORLD, &request); // A
        std::sort(row.begin(), row.end()); // B
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(row.data(), 1000, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
