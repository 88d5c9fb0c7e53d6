/* expect: local-race A B */
/* A variable is read right after its receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    int size_of_message = 0;
    MPI_Irecv(&size_of_message, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
    if (size_of_message > 1000) /* B */
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
