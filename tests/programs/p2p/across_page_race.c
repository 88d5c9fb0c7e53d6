/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the buffer of MPI_Isend must not be stored to before its completion.
 *
 * Four stores side by side, three at the end of 64 KiB and one behind: what is looked at once for all of them must know of
 * both sides. The last one is to the word that is being sent.
 */
#include <mpi.h>
#include <stdlib.h>

enum { SIDE = 65536, CELLS = 8, FIRST = 3 };

int main(int argc, char **argv)
{
    int rank;
    char *memory = aligned_alloc(SIDE, 2 * SIDE);
    double *cells = (double *)(memory + SIDE) - FIRST;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < CELLS; i++)
        cells[i] = i;
    if (rank == 0) {
        MPI_Request req;
        MPI_Isend(&cells[3], 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); /* A */
        cells[0] = argc;
        cells[1] = argc + 1;
        cells[2] = argc + 2;
        cells[3] = argc + 3; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(cells, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    free(memory);
    return 0;
}
