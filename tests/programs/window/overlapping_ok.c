/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §5: several windows over the same memory share its bytes.
 *
 * Element 2 of the second window is behind everything that the first put touches.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win low, high;
    MPI_Win_create(mem, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &low);
    MPI_Win_create(mem + 2, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &high);
    MPI_Win_lock_all(0, low);
    MPI_Win_lock_all(0, high);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 2, 1, MPI_INT, low); /* A */
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, 2, 1, MPI_INT, high);
    MPI_Win_unlock_all(high);
    MPI_Win_unlock_all(low);
    MPI_Win_free(&high);
    MPI_Win_free(&low);
    MPI_Finalize();
    return 0;
}
