// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: memory that an owner hands on to another stays; where the owner takes something new, what it had goes.
//
// The owner is assigned something new.
#include <memory>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto row = std::make_unique<int[]>(100);
    std::unique_ptr<int[]> kept;
    if (rank == 0) {
        MPI_Isend(row.get(), 100, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
        row.reset(new int[100]); // B
    } else {
        MPI_Recv(row.get(), 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
