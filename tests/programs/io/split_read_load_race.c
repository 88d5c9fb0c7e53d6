/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: a split collective read writes its buffer from begin to end.
 *
 * The load comes between begin and end.
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
    char name[64];
    snprintf(name, sizeof name, "/tmp/regatta-io-%ld", (long)getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, data, 4, MPI_INT); /* A */
    seen = data[0]; /* B */
    MPI_File_read_at_all_end(file, data, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
