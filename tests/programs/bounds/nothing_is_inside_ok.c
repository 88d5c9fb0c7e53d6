/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §8, out of the window: a count of 0, a datatype of no bytes and MPI_PROC_NULL are inside everywhere.
 *
 * None of the operations has a byte.
 */
#include <mpi.h>

static char memory[64];

int main(int argc, char **argv)
{
    int rank, n = 0;
    char byte = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype none;
    MPI_Win win;
    MPI_Type_contiguous(0, MPI_INT, &none);
    MPI_Type_commit(&none);
    MPI_Win_create(memory, rank == 1 ? 0 : 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(&byte, 0, MPI_CHAR, 1, 40, 0, MPI_CHAR, win);
        MPI_Get(&byte, 0, MPI_CHAR, 2, 48, 3, none, win);
        MPI_Accumulate(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 300, 1, MPI_CHAR, MPI_REPLACE, win);
        MPI_Put(&byte, n, MPI_CHAR, 2, 16, n, MPI_CHAR, win);
    }
    MPI_Win_fence(0, win);
    MPI_Type_free(&none);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
