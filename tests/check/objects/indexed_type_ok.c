/* A store between the blocks of an indexed type that is being received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int lengths[2] = {2, 2}, places[2] = {0, 6}, cells[10];
    MPI_Datatype type;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(cells, 1, type, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    cells[3] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return cells[0];
}
