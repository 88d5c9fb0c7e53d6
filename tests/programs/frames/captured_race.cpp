// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
//
// A lambda starts the send of what it captured by reference, and its variable goes.
#include <mpi.h>

template <class Action> static void apply(Action action)
{
    action();
}

static void start(MPI_Request &req)
{
    int row[4] = {1, 2, 3, 4};
    auto send = [&] {
        MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    };
    apply(send);
} // B

static void exchange(MPI_Request &req)
{
    start(req);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, row[4];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        exchange(req);
    else
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
