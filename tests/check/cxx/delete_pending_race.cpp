// expect: local-race A B
// An array is deleted while a send still reads it.
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double *out = new double[16]();
    MPI_Request request;
    MPI_Isend(out, 16, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request); // A
    delete[] out; // B
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
