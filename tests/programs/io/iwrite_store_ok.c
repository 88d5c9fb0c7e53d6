/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: Iwrite reads its buffer until completion.
 *
 * The store comes after the Wait.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int data[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file;
    MPI_Request req;
    char name[64];
    snprintf(name, sizeof name, "/tmp/regatta-io-%ld", (long)getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    data[0] = rank;
    MPI_File_iwrite_at(file, 0, data, 4, MPI_INT, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    data[0] = 9;
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
