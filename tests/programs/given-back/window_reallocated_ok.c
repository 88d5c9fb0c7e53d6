/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: memory that a window shows is given back while another process may put there.
 *
 * The owner gives it back when the window is gone.
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory = calloc(1000, sizeof *memory), value = 5;
    MPI_Win win;
    MPI_Win_create(memory, 4000, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 999, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        /* Shrinks in place. */
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memory = realloc(memory, 3996);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    free(memory);
    MPI_Finalize();
    return 0;
}
