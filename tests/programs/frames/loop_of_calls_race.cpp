// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: an object whose destructor waits may be in use until then; a member of another, without one, may not.
//
// The guard holds another request than that of the buffer.
#include <mpi.h>

struct guard {
    MPI_Request &req;
    ~guard()
    {
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
};

struct exchange {
    double values[4];
    MPI_Request first = MPI_REQUEST_NULL, second = MPI_REQUEST_NULL;
};

static void step(int rank, int round, MPI_Request &left)
{
    exchange data{{1.0 * round, 2, 3, 4}};
    guard wait{data.second};
    MPI_Request &used = left;
    if (rank == 0)
        MPI_Isend(data.values, 4, MPI_DOUBLE, 1, round, MPI_COMM_WORLD, &used); // A
    else
        MPI_Recv(data.values, 4, MPI_DOUBLE, 0, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    static_cast<void>(left);
} // B

int main(int argc, char **argv)
{
    int rank;
    MPI_Request left = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 3; round++) {
        step(rank, round, left);
        MPI_Wait(&left, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
