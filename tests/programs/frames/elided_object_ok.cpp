// ranks: 2
// needs: cc
// expect: none
//
// semantics §1 and §8: an object that is made in the return statement is the caller's from its beginning (C++17). One that
// lives in the function goes with it.
//
// The object is made for the caller.
#include <mpi.h>

struct message {
    int values[16] = {};
    MPI_Request &req;
    message(int to, MPI_Request &handle) : req(handle)
    {
        MPI_Isend(values, 16, MPI_INT, to, 0, MPI_COMM_WORLD, &req);
    }
    message(const message &) = delete;
};

static message start(int to, MPI_Request &req)
{
    return message(to, req);
}

int main(int argc, char **argv)
{
    int rank, row[16];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const auto &sent = start(1, req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        static_cast<void>(sent);
    } else {
        MPI_Recv(row, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
