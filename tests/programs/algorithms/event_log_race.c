/* ranks: 4 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §2 and §3, atomics as synchronisation: a log with several writers. A writer reserves a place by fetch and
 * add, puts its record and sets the place's bit in a mask; rank 0 fetches the mask until all bits are there. A wait on the
 * request of an Rput frees the buffer, it does not complete the put at the target; a fetched value has arrived when its
 * request is complete. Nobody unlocks before all is read, so that the reader cannot have learnt of that completion.
 *
 * Records are only waited for before their bit is set.
 */
#include <mpi.h>
#include <stddef.h>

enum { WRITERS = 3, EACH = 3, PLACES = WRITERS * EACH, WORDS = 2, HOST = 3 };
enum { USED = 0, MASK = 1, RECORDS = 2 };
static _Alignas(64) int journal[RECORDS + PLACES * WORDS];

static void record(int rank, int event, MPI_Win win)
{
    static const int one = 1;
    int place, bit, before, words[WORDS] = {rank, event};
    MPI_Request request;

    MPI_Fetch_and_op(&one, &place, MPI_INT, HOST, USED, MPI_SUM, win);
    MPI_Win_flush_local(HOST, win);
    MPI_Rput(words, WORDS, MPI_INT, HOST, RECORDS + WORDS * place, WORDS, MPI_INT, win, &request); /* A */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    bit = 1 << place;
    /* It brings the old mask, so that the new one is there when it is complete: the reader waits for it. */
    MPI_Rget_accumulate(&bit, 1, MPI_INT, &before, 1, MPI_INT, HOST, MASK, 1, MPI_INT, MPI_BOR, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void read_all(MPI_Win win)
{
    int seen = 0, records[PLACES * WORDS];
    MPI_Request request;

    while (seen != (1 << PLACES) - 1) {
        MPI_Rget_accumulate(NULL, 0, MPI_INT, &seen, 1, MPI_INT, HOST, MASK, 1, MPI_INT, MPI_NO_OP, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Get(records, PLACES * WORDS, MPI_INT, HOST, RECORDS, PLACES * WORDS, MPI_INT, win); /* B */
    MPI_Win_flush(HOST, win);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(journal, sizeof journal, sizeof journal[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        read_all(win);
    else
        for (int event = 0; event < EACH; event++)
            record(rank, event, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
