/* ranks: 2 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §5: two writes to a file may read the same buffer at the same time; a read from a file
 * may not fill it meanwhile.
 *
 * The buffer that is being written out is also being read into.
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
    MPI_Request req[2];
    char name[64];
    snprintf(name, sizeof name, "/tmp/regatta-io-%ld", (long)getpid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 64, data, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 0, data, 4, MPI_INT, &req[0]); /* A */
    MPI_File_iread_at(file, 64, data, 4, MPI_INT, &req[1]); /* B */
    MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
