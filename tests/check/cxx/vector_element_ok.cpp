// expect: none
// tmp[i] of a std::vector is received while a send reads it.
#include <mpi.h>
#include <vector>

int size = 8;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::vector<int> tmp(size);
    std::vector<MPI_Request> req(size);
    for (int i = 0; i < size; i++)
        MPI_Irecv(&tmp[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &req[i]); // A
    MPI_Waitall(size, req.data(), MPI_STATUSES_IGNORE);
    for (int i = 0; i < size; i++)
        MPI_Send(&tmp[i], 1, MPI_INT, i, 1, MPI_COMM_WORLD); // B
    MPI_Finalize();
    return 0;
}
