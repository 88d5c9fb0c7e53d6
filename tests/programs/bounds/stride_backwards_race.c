/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8, out of the window: a vector with a negative stride goes down from the displacement.
 *
 * It goes down below the window.
 */
#include <mpi.h>

static int memory[32];

int main(int argc, char **argv)
{
    int rank, values[4] = {1, 2, 3, 4}, first = 12;
    first = 11;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype down;
    MPI_Win win;
    MPI_Type_vector(4, 1, -4, MPI_INT, &down);
    MPI_Type_commit(&down);
    /* What is below belongs to the program, too. */
    MPI_Win_create(memory + 8, 64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(values, 4, MPI_INT, 1, first, 1, down, win); /* A */
    MPI_Win_fence(0, win);
    MPI_Type_free(&down);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
