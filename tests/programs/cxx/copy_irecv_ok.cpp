// ranks: 2
// needs: cc
// expect: none
// semantics §1: code of headers that reads a buffer in use; the places are the lines that call it.
//
// Sum and copy come after the wait; what is sent may be read before it.
#include <algorithm>
#include <mpi.h>
#include <numeric>
#include <vector>

volatile double total;
double kept[8];
volatile int size = 8;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> out(8, 1.0), in(size);
    MPI_Request requests[2];
    MPI_Irecv(in.data(), 8, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out.data(), 8, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    total = std::accumulate(out.begin(), out.end(), 0.0);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    total = std::accumulate(in.begin(), in.end(), 0.0);
    std::copy(in.begin(), in.end(), kept);
    MPI_Finalize();
    return 0;
}
