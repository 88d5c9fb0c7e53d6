/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §5: a put and a load of the same window memory.
 *
 * A fence is between the two.
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
        MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 1) {
        int odd = mem[2] % 2;
        (void)odd;
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
