// expect: none
// An array is deleted behind the wait.
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double *out = new double[16]();
    MPI_Request request;
    MPI_Isend(out, 16, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    delete[] out;
    MPI_Finalize();
    return 0;
}
