/* expect: local-race A B */
/* Eight allocations, each checked. */
#include <mpi.h>
#include <stdlib.h>

void keep(void *memory);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, buffer[16];
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *q0 = malloc(10);
    if (!q0)
        exit(1);
    keep(q0);
    char *q1 = malloc(10);
    if (!q1)
        exit(1);
    keep(q1);
    char *q2 = malloc(10);
    if (!q2)
        exit(1);
    keep(q2);
    char *q3 = malloc(10);
    if (!q3)
        exit(1);
    keep(q3);
    char *q4 = malloc(10);
    if (!q4)
        exit(1);
    keep(q4);
    char *q5 = malloc(10);
    if (!q5)
        exit(1);
    keep(q5);
    char *q6 = malloc(10);
    if (!q6)
        exit(1);
    keep(q6);
    char *q7 = malloc(10);
    if (!q7)
        exit(1);
    keep(q7);
    MPI_Irecv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    buffer[3] = 1; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return buffer[0];
}
