/* ranks: 2 */
/* needs: cc */
/* expect: remote-race A B */
/*
 * semantics §5: a put and a load of the same window memory.
 *
 * The owner loads what is being put, for a value that it never uses.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mem, one = 1;
    MPI_Win win;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* A */
    if (rank == 1) {
        int odd = mem[2] % 2; /* B */
        (void)odd;
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
