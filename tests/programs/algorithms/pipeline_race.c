/* ranks: 3 */
/* needs: nothing */
/* expect: local-race A B */
/*
 * semantics §2: a pipeline with two buffers at every stage. Rank 0 sends blocks by persistent requests, rank 1 receives them and
 * passes each on by a put to rank 2, which is told by a message at the end. A buffer is free when its put is locally complete.
 *
 * The receive is started again before the flush.
 */
#include <mpi.h>
#include <stddef.h>

enum { BLOCKS = 6, LENGTH = 5, BUFFERS = 2 };
static _Alignas(64) int blocks[BLOCKS][LENGTH];

static void source(void)
{
    int buffer[BUFFERS][LENGTH];
    MPI_Request sends[BUFFERS];

    for (int b = 0; b < BUFFERS; b++)
        MPI_Send_init(buffer[b], LENGTH, MPI_INT, 1, b, MPI_COMM_WORLD, &sends[b]);
    for (int block = 0; block < BLOCKS; block++) {
        MPI_Wait(&sends[block % BUFFERS], MPI_STATUS_IGNORE);
        for (int i = 0; i < LENGTH; i++)
            buffer[block % BUFFERS][i] = 100 * block + i;
        MPI_Start(&sends[block % BUFFERS]);
    }
    MPI_Waitall(BUFFERS, sends, MPI_STATUSES_IGNORE);
    for (int b = 0; b < BUFFERS; b++)
        MPI_Request_free(&sends[b]);
}

static void stage(MPI_Win win)
{
    int buffer[BUFFERS][LENGTH], b, block[BUFFERS] = {0, 1};
    MPI_Request receives[BUFFERS];

    for (b = 0; b < BUFFERS; b++)
        MPI_Recv_init(buffer[b], LENGTH, MPI_INT, 0, b, MPI_COMM_WORLD, &receives[b]);
    MPI_Startall(BUFFERS, receives);
    for (MPI_Waitany(BUFFERS, receives, &b, MPI_STATUS_IGNORE); b != MPI_UNDEFINED; MPI_Waitany(BUFFERS, receives, &b, MPI_STATUS_IGNORE)) {
        MPI_Put(buffer[b], LENGTH, MPI_INT, 2, LENGTH * block[b], LENGTH, MPI_INT, win); /* A */
        block[b] += BUFFERS;
        if (block[b] < BLOCKS)
            MPI_Start(&receives[b]); /* B */
        MPI_Win_flush_local(2, win);
    }
    MPI_Win_flush(2, win);
    MPI_Send(NULL, 0, MPI_INT, 2, 9, MPI_COMM_WORLD);
    for (b = 0; b < BUFFERS; b++)
        MPI_Request_free(&receives[b]);
}

int main(int argc, char **argv)
{
    int rank, sums[LENGTH] = {0};
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(blocks, sizeof blocks, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        source();
    if (rank == 1)
        stage(win);
    if (rank == 2) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int block = 0; block < BLOCKS; block++)
            MPI_Reduce_local(blocks[block], sums, LENGTH, MPI_INT, MPI_SUM);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
