/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: resizing a type spreads its copies, it does not make them bigger.
 *
 * The owner stores into the gap behind the second, at element 4.
 */
#include <mpi.h>

static _Alignas(64) int mem[9];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype spread;
    int value[3] = {1, 2, 3};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &spread);
    MPI_Type_commit(&spread);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(value, 3, MPI_INT, 1, 0, 3, spread, win); /* A */
    else
        mem[4] = 9;
    MPI_Win_fence(0, win);
    MPI_Type_free(&spread);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
