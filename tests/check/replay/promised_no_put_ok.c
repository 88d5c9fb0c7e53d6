/* expect: none */
/* semantics §8 (Promises of fences): MPI_MODE_NOPUT excludes what others put until the next fence. */
#include <mpi.h>

static void open_epoch(MPI_Win win, int assertion)
{
    MPI_Win_fence(assertion, win);
}

static void send_to_next(MPI_Win win, int rank, int size, const int *value)
{
    if (rank + 1 < size)
        MPI_Put(value, 1, MPI_INT, rank + 1, 0, 1, MPI_INT, win);
}

int main(int argc, char **argv)
{
    int rank, size, memory[2] = {0}, value;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    value = rank;
    open_epoch(win, MPI_MODE_NOSTORE);
    send_to_next(win, rank, size, &value);
    open_epoch(win, MPI_MODE_NOSUCCEED);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
