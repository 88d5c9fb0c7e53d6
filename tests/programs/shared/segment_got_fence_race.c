/* ranks: 3 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §2, §4: what a get writes is in use until the closing fence, also if it lies in another rank's segment.
 *
 * Rank 1 knows that the get was issued, and loads before the fence.
 */
#include <mpi.h>

volatile int seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *other, token = 0, unit;
    MPI_Aint size;
    MPI_Win shared;
    MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &shared);
    MPI_Win_shared_query(shared, 1, &size, &unit, &other);
    MPI_Win_lock_all(0, shared);
    int value[8] = {0};
    MPI_Win win;
    MPI_Win_create(value, sizeof value, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(other, 8, MPI_INT, 2, 0, 8, MPI_INT, win); /* A */
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank == 1)
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        seen = mine[3]; /* B */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Win_unlock_all(shared);
    MPI_Win_free(&shared);
    MPI_Finalize();
    return 0;
}
