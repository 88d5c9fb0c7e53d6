// ranks: 2
// needs: cc
// expect: local-race A B
// expect: local-race A C
// expect: local-race A D
// semantics §1, Irecv writes its buffer until local completion (§2).
//
// Elements are loaded before Wait, through a reference and by functions, for values that nobody uses.
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
        MPI_Irecv(data.data(), 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); // A
        const int &first = data[0];
        int copy = first; // B
        int back = data.back(); // C
        std::accumulate(data.begin(), data.end(), 0); // D
        static_cast<void>(copy);
        static_cast<void>(back);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
