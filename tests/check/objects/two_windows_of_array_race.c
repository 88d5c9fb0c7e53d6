/* expect: local-race A B */
/* Parts of an array of structs are sent and written. */
#include <mpi.h>

static struct {
    double mass, flux[3];
} cells[8];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Isend(cells[2].flux, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); /* A */
    cells[2].flux[1] = 0; /* B */
    cells[2].mass = 0;
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
