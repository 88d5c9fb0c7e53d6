/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8 (Promises of fences): so do nonblocking receives.
 *
 * It receives elsewhere.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long memory[4] = {0}, other[4] = {0}, value = 1;
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Request request;
    MPI_Win_fence(0, win);
    MPI_Irecv(other, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Send(&value, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(MPI_MODE_NOSTORE, win); /* B */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
