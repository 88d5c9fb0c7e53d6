// ranks: 3
// needs: nothing
// expect: none
// semantics §5: a container of requests, and one line of code that meets itself.
//
// Each goes to its own.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<int> data(4, rank);
    if (rank == 0) {
        std::vector<MPI_Request> reqs(2);
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&data[2 * i], 2, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &reqs[i]);
        for (MPI_Request &req : reqs)
            MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(data.data(), 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
