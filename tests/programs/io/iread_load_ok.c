/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: Iread writes its buffer until completion.
 *
 * The load comes after the Wait.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int data[4];
volatile int seen;

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
    MPI_File_write_at(file, 0, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_iread(file, data, 4, MPI_INT, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    seen = data[3];
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
