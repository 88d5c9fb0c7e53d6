// ranks: 2
// needs: cc
// expect: none
// semantics §2: an exception that jumps over the Wait does not complete the receive.
//
// The handler waits first.
#include <mpi.h>
#include <stdexcept>
#include <vector>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> data(4, rank);
    if (rank == 1) {
        MPI_Request req = MPI_REQUEST_NULL;
        try {
            MPI_Irecv(data.data(), 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); // A
            if (argc > 0)
                throw std::runtime_error("gave up");
            MPI_Wait(&req, MPI_STATUS_IGNORE);
        } catch (const std::runtime_error &) {
            MPI_Wait(&req, MPI_STATUS_IGNORE);
            data[0] = -1;
        }
    } else {
        MPI_Send(data.data(), 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
