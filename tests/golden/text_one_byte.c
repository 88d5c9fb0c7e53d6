/* One byte is one byte, not "1 bytes". */
/* expect: local-race 16 17 */
/* says: writes 1 byte, the same */
/* says-not: 1 bytes */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char text[8] = "";
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        /* The receive writes what is being sent. */
        MPI_Isend(text, sizeof text, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(text, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        char other[8];
        MPI_Send(text, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(other, sizeof other, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
