/* ranks: 2 */
/* needs: run */
/* expect: usage A - */
/*
 * semantics §8 (Out of the window): a datatype may begin before the address that it is used at.
 *
 * The bytes are those before displacement 0.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[16] = {0}, value[4] = {1, 2, 3, 4};
    MPI_Win win;
    MPI_Win_create(memory + 4, 4 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Datatype before;
    MPI_Aint down = -(MPI_Aint)sizeof(long);
    int one = 1;
    MPI_Type_create_hindexed(1, &one, &down, MPI_LONG, &before);
    MPI_Type_commit(&before);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Get(value, 1, MPI_LONG, 1, 0, 1, before, win); /* A */
    MPI_Win_unlock_all(win);
    MPI_Type_free(&before);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
