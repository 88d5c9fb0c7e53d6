/* A part that is linked to MPI, loaded by a program that is not (loader.c), as Python does with mpi4py. */
#include <mpi.h>
#include <stdio.h>

int plugin_main(int race);

int plugin_main(int race)
{
    int rank, ranks, mine[4] = {1, 2, 3, 4}, other[4];
    MPI_Request requests[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Irecv(race ? mine : other, 4, MPI_INT, rank ^ 1, 7, MPI_COMM_WORLD, &requests[0]); /* RACE */
    MPI_Isend(mine, 4, MPI_INT, rank ^ 1, 7, MPI_COMM_WORLD, &requests[1]); /* RACE */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("rank %d of %d: plugin is done\n", rank, ranks);
    MPI_Finalize();
    return 0;
}
