/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: memory functions of the C library load and store for the program.
 *
 * memcpy overwrites the tail of a buffer that is being sent.
 */
#include <mpi.h>
#include <string.h>

static char text[16], other[16];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        memset(other, 'x', sizeof other);
        MPI_Isend(text, 16, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &req); /* A */
        memcpy(text + 12, other, (size_t)argc * 4); /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(text, 16, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
