/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: a fetch learns what was known at the issue of the update that it read, and nothing
 * from the origin's later ones, even if they are under way or executed before the fetch is complete.
 *
 * A counter is 1 before the put is flushed and 2 after it, by sums with a request, that fetch nothing: only the target knows what they make of it.
 * Rank 1 reads 1.
 */
#include <mpi.h>
#include <stddef.h>
#include <unistd.h>

static _Alignas(64) int flag[1];
static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0, data = 42;
    MPI_Win win, place;
    MPI_Request request;
    MPI_Win_create(flag, sizeof flag, sizeof flag[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &place);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, place);
    if (rank == 0) {
        MPI_Put(&data, 1, MPI_INT, 0, 0, 1, MPI_INT, place); /* A */
        MPI_Raccumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_flush(0, win);
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_flush(0, place);
        MPI_Raccumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_flush(0, win);
    } else {
        while (!seen) {
            MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        usleep(100000);
        MPI_Win_flush(0, win);
        MPI_Get(&data, 1, MPI_INT, 0, 0, 1, MPI_INT, place); /* B */
        MPI_Win_flush(0, place);
    }
    MPI_Win_unlock_all(place);
    MPI_Win_free(&place);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
