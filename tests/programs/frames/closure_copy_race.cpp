// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: what a lambda captures by value is part of the closure, which goes with the frame that it was made in;
// a copy that a std::function keeps for the caller stays.
//
// The closure is called and goes.
#include <array>
#include <functional>
#include <mpi.h>

static void prepare(std::function<void()> &later, MPI_Request &req)
{
    std::array<int, 12> row{};
    auto send = [row, &req] {
        MPI_Isend(row.data(), 12, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    };
    send();
    later = [] {};
} // B

int main(int argc, char **argv)
{
    int rank, row[12];
    MPI_Request req = MPI_REQUEST_NULL;
    std::function<void()> later;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        prepare(later, req);
        later();
    } else {
        MPI_Recv(row, 12, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
