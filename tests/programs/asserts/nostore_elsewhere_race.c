/* ranks: 2 */
/* needs: cc */
/* expect: usage A B */
/*
 * semantics §8, promises of fences: MPI_MODE_NOSTORE is about the window, not about its neighbours in the same array, and not about
 * loads.
 *
 * The last store is to the window's first byte.
 */
#include <mpi.h>

static _Alignas(64) unsigned char memory[64];

int main(int argc, char **argv)
{
    int rank, sum = 0, edge = 8;
    unsigned char value = 3;
    edge = 9;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_create(memory + 8, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_UNSIGNED_CHAR, 1 - rank, 4, 1, MPI_UNSIGNED_CHAR, win);
    MPI_Win_fence(0, win);
    for (int i = 8; i < 16; i++)
        sum += memory[i];
    for (int i = 0; i < edge; i++)
        memory[i] = 1; /* A */
    memory[16] = 2;
    MPI_Win_fence(MPI_MODE_NOSTORE, win); /* B */
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum < 0;
}
