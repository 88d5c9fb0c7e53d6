/* expect: none */
/* The border is being received while the loop works inside, or up to the border. */
#include <mpi.h>

double u[100], v[100];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Request req;
    MPI_Irecv(u + 99, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &req); /* A */
    for (int i = 1; i < 99; i++)
        v[i] = u[i]; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
