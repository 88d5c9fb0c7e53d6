/* The part of a program that uses MPI, loaded by plugin_host.c at run time, as scripting languages
 * do it. With "race" as argument it receives into a buffer that is being sent. */
#include <mpi.h>

#include <string.h>

int run_plugin(int argc, char **argv);

int run_plugin(int argc, char **argv)
{
    int rank, size, row[10] = {0}, halo[10];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *into = argc > 2 && !strcmp(argv[2], "race") ? row : halo;
    MPI_Isend(row, 10, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(into, 10, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
