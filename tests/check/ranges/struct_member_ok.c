/* expect: none */
/* One member of a struct is sent; it is written, or the member after it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct { int head; double body[4]; int tail; } msg = {0};
    MPI_Request req;
    MPI_Isend(msg.body, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &req); /* A */
    msg.tail = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
