// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
//
// The temporary is in the frame of the function that made it.
#include <mpi.h>

struct Row {
    int values[4];
    explicit Row(int first) : values{first, 2, 3, 4} {}
    void send(MPI_Request &req) const
    {
        MPI_Isend(values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    }
};

static void start(int first, MPI_Request &req)
{
    Row(first).send(req);
} // B

int main(int argc, char **argv)
{
    int rank, row[4];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(argc, req);
    else
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
