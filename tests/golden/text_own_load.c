/* A put to the own window and a load before it is complete: the put came first, whatever the target got to know first. */
/* expect: remote-race 16 17 */
/* says: and that did not come before its load of the same bytes */
/* says-not: in either direction */
/* checks: compiled in */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, seen;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win);
    seen = *(volatile int *)memory;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return seen > 1;
}
