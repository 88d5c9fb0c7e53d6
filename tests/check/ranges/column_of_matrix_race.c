/* expect: local-race A B */
/* A column of a matrix is received; the diagonal element is read, or the one beside it. */
#include <mpi.h>

static int m[8][8];
volatile int seen;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Datatype column;
    MPI_Type_vector(8, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Irecv(&m[0][2], 1, column, 0, 0, MPI_COMM_WORLD, &req); /* A */
    seen = m[5][2]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
