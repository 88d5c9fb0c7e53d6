/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: free gives all of the memory back, of whatever function it came from.
 *
 * The memory is given back before the wait. (The message comes behind it, or the heap would suffer.)
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    void *row = NULL;
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (posix_memalign(&row, 256, 4096))
        return 1;
    if (rank == 0) {
        MPI_Irecv((char *)row + 1024, 64, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &req); /* A */
        free(row); /* B */
        MPI_Send(NULL, 0, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(NULL, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(row, 0, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        free(row);
    }
    MPI_Finalize();
    return 0;
}
