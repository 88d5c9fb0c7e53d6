/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: places in a queue that are drawn by a sum between fences. Different places never meet.
 *
 * The counter is drawn from by steps of the entry's length.
 */
#include <mpi.h>

static _Alignas(64) int counter[1];
static _Alignas(64) int queue[16];

int main(int argc, char **argv)
{
    int rank, place, entry[2] = {5, 6};
    int step = 2;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win, data;
    MPI_Win_create(counter, sizeof counter, sizeof counter[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(queue, sizeof queue, sizeof queue[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, data);
    MPI_Fetch_and_op(&step, &place, MPI_INT, 1, 0, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Put(entry, 2, MPI_INT, 1, place, 2, MPI_INT, data);
    MPI_Win_fence(0, data);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
