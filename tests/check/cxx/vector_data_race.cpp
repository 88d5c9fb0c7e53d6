// expect: local-race A B
// The data of a vector is sent and changed through its operator.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::vector<double> v(100);
    MPI_Request req;
    MPI_Isend(v.data(), 100, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); // A
    v[5] = 1.0; // B
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
