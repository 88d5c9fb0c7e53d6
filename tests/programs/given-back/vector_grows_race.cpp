// ranks: 2
// needs: cc
// expect: local-race A B
//
// semantics §1 and §8: a vector that grows beyond its capacity gives the memory back that it had.
//
// There is no room for another element.
#include <mpi.h>
#include <vector>

static void add(std::vector<double> &values, double value)
{
    values.push_back(value); // B
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> values;
    values.reserve(10);
    values.assign(10, 1.5);
    if (rank == 0)
        MPI_Isend(values.data(), 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); // A
    else
        MPI_Recv(values.data(), 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        add(values, 2.5);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
