// expect: none
// A buffer owned by a unique_ptr.
#include <mpi.h>
#include <memory>

volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::unique_ptr<int[]> p(new int[16]);
    MPI_Request req;
    MPI_Irecv(p.get(), 16, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); // A
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    seen = p[2]; // B
    MPI_Finalize();
    return 0;
}
