/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: a fetch learns what was known at the issue of the update that it read. A swap that is
 * under way for long, and cannot have found what it compares with, is not what wrote the value; also for a process that has heard
 * of the update before: between its two updates rank 0 heard of nobody, and put nothing there.
 *
 * The flag says 9 before the put is made, and the swap after that makes it 1, long before its origin knows that it has.
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
    int one = 1, nine = 9, found = 0, seen = 0, data = 42;
    MPI_Win win, place;
    MPI_Win_create(flag, sizeof flag, sizeof flag[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &place);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, place);
    if (rank == 0) {
        MPI_Accumulate(&nine, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(1, win);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Put(&data, 1, MPI_INT, 1, 0, 1, MPI_INT, place); /* A */
        MPI_Win_flush(1, place);
        MPI_Compare_and_swap(&one, &nine, &found, MPI_INT, 1, 0, win);
        usleep(900000);
        MPI_Win_flush(1, win);
    } else if (rank == 1) { /* in MPI, so that what others do here goes on */
        MPI_Recv(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(300000);
        while (seen != 1) {
            MPI_Fetch_and_op(NULL, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
            MPI_Win_flush(1, win);
            usleep(1000);
        }
        MPI_Get(&data, 1, MPI_INT, 1, 0, 1, MPI_INT, place); /* B */
        MPI_Win_flush(1, place);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(place);
    MPI_Win_free(&place);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
