/* A buffer whose race is meant, and another one. */
/* expect: local-race 18 19 */
#include "../../include/regatta.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, meant[4] = {0}, other[4] = {0};
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    REGATTA_IGNORE(meant, sizeof meant);
    REGATTA_IGNORE(other, sizeof other);
    REGATTA_NOTICE(other, sizeof other);
    MPI_Isend(meant, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(meant, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(other, 4, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Irecv(other, 4, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
