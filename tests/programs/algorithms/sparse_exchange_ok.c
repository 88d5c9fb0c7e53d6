/* ranks: 4 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: sparse dynamic exchange (Issend, Iprobe, Ibarrier). A nonblocking barrier orders what came before it was
 * started, and a synchronous send tells that its receive was started: at the end all requests are received, but not answered.
 * Rank 3 asks nobody, so it enters the barrier before it looks for requests, and answers afterwards.
 *
 * A second barrier, after the loop, tells that the answers are there.
 */
#include <mpi.h>

enum { ROOM = 2 };
static _Alignas(64) int room[ROOM];
volatile int sum;

static void answer(MPI_Win win)
{
    int there, slot;
    MPI_Status status;

    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return;
    MPI_Recv(&slot, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int value = 10 * status.MPI_SOURCE + slot;
    MPI_Put(&value, 1, MPI_INT, status.MPI_SOURCE, slot, 1, MPI_INT, win);
    MPI_Win_flush(status.MPI_SOURCE, win);
}

int main(int argc, char **argv)
{
    static const int asked[4] = {2, 1, 1, 0};
    static const int who[4][ROOM] = {{1, 3}, {3}, {3}};
    int rank, slots[ROOM];
    MPI_Request sends[ROOM], barrier = MPI_REQUEST_NULL;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(room, sizeof room, sizeof room[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < asked[rank]; i++) {
        room[i] = -1;
        slots[i] = i;
        MPI_Issend(&slots[i], 1, MPI_INT, who[rank][i], 0, MPI_COMM_WORLD, &sends[i]);
    }
    int waiting = 0, over = 0;
    while (!over) {
        if (waiting) {
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
        } else {
            MPI_Testall(asked[rank], sends, &waiting, MPI_STATUSES_IGNORE);
            if (waiting)
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        }
        answer(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < asked[rank]; i++)
        sum += room[i];
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
