// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
//
// A parameter with a copy constructor is a temporary of the caller, whose frame goes with the send under way.
#include <mpi.h>

struct Row {
    int values[4] = {1, 2, 3, 4};
    Row() = default;
    Row(const Row &other)
    {
        for (int i = 0; i < 4; i++)
            values[i] = other.values[i];
    }
};

static void send(Row row, MPI_Request &req)
{
    MPI_Isend(row.values, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
}

static void start(const Row &row, MPI_Request &req)
{
    send(row, req);
} // B

int main(int argc, char **argv)
{
    int rank, row[4];
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        start(Row(), req);
    else
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
