/* expect: local-race A B */
/* MPI_BOTTOM: the datatype says which variables are received. */
#include <mpi.h>

static int number, list[4], other[4];

int main(int argc, char **argv)
{
    int lengths[2] = {1, 4};
    MPI_Aint places[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_INT}, type;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Get_address(&number, &places[0]);
    MPI_Get_address(list, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(MPI_BOTTOM, 1, type, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    list[2] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return number + list[0] + other[0];
}
