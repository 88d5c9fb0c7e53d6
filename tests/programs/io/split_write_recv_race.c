/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §1: a split collective write reads its buffer from begin to end; a blocking Recv
 * stores.
 *
 * The buffer is received into before the end.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int data[4], other[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file;
    MPI_Request request;
    int peer = 1 - rank;
    char name[64];
    snprintf(name, sizeof name, "/tmp/regatta-io-%ld", (long)getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_all_begin(file, data, 4, MPI_INT); /* A */
    MPI_Isend(other, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(data, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* B */
    MPI_File_write_all_end(file, data, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
