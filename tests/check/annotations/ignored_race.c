/* expect: local-race A B */
/* Memory whose races are meant, by its name and by a pointer to it, and memory whose races are not. */
#include "../../../include/regatta.h"

#include <mpi.h>

static int meant[4], other[4];

static void excuse(int *memory, int count)
{
    REGATTA_IGNORE(memory, count * sizeof *memory);
}

int main(int argc, char **argv)
{
    int rank, size, also_meant[4] = {0};
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    REGATTA_IGNORE(meant, sizeof meant);
    excuse(also_meant, 4);
    MPI_Isend(meant, 4, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    meant[1] = 1;
    MPI_Isend(also_meant, 4, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
    also_meant[1] = 1;
    MPI_Isend(other, 4, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD, &requests[2]); /* A */
    other[1] = 1; /* B */
    for (int i = 0; i < 3; i++) {
        int got[4];
        MPI_Recv(got, 4, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return also_meant[0];
}
