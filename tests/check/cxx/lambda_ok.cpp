// expect: none
// A lambda writes what it captured by reference.
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int buf[4] = {0};
    MPI_Request req;
    auto clear = [&] {
        buf[2] = 0; // B
    };
    MPI_Isend(buf, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); // A
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    clear();
    MPI_Finalize();
    return 0;
}
