/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the memory datatype of an I/O call says exactly which bytes it uses.
 *
 * The store hits the column that is being written out.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int grid[3][4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file;
    MPI_Request req;
    MPI_Datatype column;
    char name[64];
    snprintf(name, sizeof name, "/tmp/regatta-io-%ld", (long)getpid());
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_iwrite(file, &grid[0][1], 1, column, &req); /* A */
    grid[2][1] = rank; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
