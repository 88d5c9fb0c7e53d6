/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a ring buffer at rank 2, which takes no part. Rank 0 puts an item and then moves the
 * head; rank 1 gets it and then moves the tail, which gives the place back. Each looks at the other's counter only when
 * it has to.
 *
 * The tail is moved when the item has arrived.
 */
#include <mpi.h>
#include <stddef.h>

enum { PLACES = 2, ITEMS = 7, WIDTH = 3 };
enum { HEAD = 0, TAIL = 1, DATA = 2, HOST = 2 };
static _Alignas(64) long ring[DATA + PLACES * WIDTH];

static long look(int counter, MPI_Win win)
{
    long seen;

    MPI_Fetch_and_op(NULL, &seen, MPI_LONG, HOST, counter, MPI_NO_OP, win);
    MPI_Win_flush(HOST, win);
    return seen;
}

static void advance(int counter, MPI_Win win)
{
    static const long one = 1;

    MPI_Accumulate(&one, 1, MPI_LONG, HOST, counter, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_flush(HOST, win);
}

static void produce(MPI_Win win)
{
    long tail = 0, item[WIDTH];

    for (long head = 0; head < ITEMS; head++) {
        for (int i = 0; i < WIDTH; i++)
            item[i] = head;
        while (head - tail == PLACES)
            tail = look(TAIL, win);
        MPI_Put(item, WIDTH, MPI_LONG, HOST, DATA + head % PLACES * WIDTH, WIDTH, MPI_LONG, win);
        MPI_Win_flush(HOST, win);
        advance(HEAD, win);
    }
}

static void consume(MPI_Win win)
{
    long head = 0, item[WIDTH];

    for (long tail = 0; tail < ITEMS; tail++) {
        while (head == tail)
            head = look(HEAD, win);
        MPI_Get(item, WIDTH, MPI_LONG, HOST, DATA + tail % PLACES * WIDTH, WIDTH, MPI_LONG, win);
        MPI_Win_flush(HOST, win);
        advance(TAIL, win);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(ring, rank == HOST ? sizeof ring : 0, sizeof ring[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        produce(win);
    if (rank == 1)
        consume(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
