// ranks: 2
// needs: cc
// expect: none
// semantics §1, Irecv writes its buffer until local completion (§2).
//
// The loads come behind Wait.
#include <mpi.h>

#include <numeric>
#include <vector>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> data(8);
    if (rank == 0) {
        MPI_Send(data.data(), 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Request req;
        MPI_Irecv(data.data(), 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        const int &first = data[0];
        int copy = first;
        int back = data.back();
        std::accumulate(data.begin(), data.end(), 0);
        static_cast<void>(copy);
        static_cast<void>(back);
    }
    MPI_Finalize();
    return 0;
}
