/* expect: none */
/* A library with a communicator of its own, a copy of MPI_COMM_WORLD, and a window on it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    MPI_Comm comm;
    MPI_Win win;
    int rank, size;
    long *slots;
} board;

static int board_create(board *b, MPI_Comm parent)
{
    if (MPI_Comm_dup(parent, &b->comm) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(b->comm, &b->rank);
    MPI_Comm_size(b->comm, &b->size);
    return MPI_Win_allocate(16 * sizeof(long), sizeof(long), MPI_INFO_NULL, b->comm, &b->slots, &b->win);
}

static void board_write(board *b, int to, const long *value)
{
    MPI_Put(value, 1, MPI_LONG, to, 3, 1, MPI_LONG, b->win);
}

static long board_read(const board *b)
{
    return b->slots[3];
}

int main(int argc, char **argv)
{
    board b;
    long seen = 0, value = 7;
    MPI_Init(&argc, &argv);
    if (board_create(&b, MPI_COMM_WORLD)) {
        fprintf(stderr, "no board\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    b.slots[3] = 0;
    MPI_Win_fence(0, b.win);
    board_write(&b, (b.rank + 1) % b.size, &value);
    MPI_Win_fence(0, b.win);
    seen = board_read(&b);
    printf("%ld\n", seen);
    MPI_Win_free(&b.win);
    MPI_Comm_free(&b.comm);
    MPI_Finalize();
    return 0;
}
