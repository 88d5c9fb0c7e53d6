/* Operations of one place that are completed at different calls, by another call than the first time, or with MPI_Win_flush_local before: no
 * call is named, for it might be the wrong one. */
/* expect: remote-race 12 33 */
/* expect: remote-race 29 33 */
/* says: the put of rank 0 is over at MPI_Win_flush or MPI_Win_unlock at the origin */
/* says-not: completes at rank 0 */
/* checks: compiled in */
#include <mpi.h>

static void send_value(int *value, int i, MPI_Win win)
{
    MPI_Put(value, 1, MPI_INT, 1, i, 1, MPI_INT, win);
}

int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; rank == 0 && i < 4; i++) {
        send_value(&value, i, win);
        if (i % 2)
            MPI_Win_flush(1, win);
        else
            MPI_Win_flush_all(win);
        MPI_Put(&value, 1, MPI_INT, 1, 8 + i, 1, MPI_INT, win);
        MPI_Win_flush_local(1, win);
    }
    for (int i = 0; rank == 1 && i < 12; i++)
        memory[i] = 2;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
