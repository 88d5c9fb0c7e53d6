// expect: none
// A std::array.
#include <mpi.h>
#include <array>

volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::array<int, 8> a{};
    MPI_Request req;
    MPI_Irecv(a.data(), 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); // A
    seen = a[4]; // B
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
