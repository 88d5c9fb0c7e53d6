/* ranks: 3 */
/* needs: run */
/* expect: remote-race A A */
/*
 * semantics §3, atomics as synchronisation: a lock of exchanges, each in a shared epoch of its own. The put has an epoch of its
 * own, too, on a second window.
 *
 * That epoch is closed when the lock was given back.
 */
#include <mpi.h>

static _Alignas(64) long long lock[1];
static _Alignas(64) double account[2];

static long long exchange(long long value, MPI_Win win)
{
    long long seen = -1;
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Fetch_and_op(&value, &seen, MPI_LONG_LONG, 1, 0, MPI_REPLACE, win);
    MPI_Win_unlock(1, win);
    return seen;
}

int main(int argc, char **argv)
{
    int rank;
    double values[2] = {1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win, data;
    MPI_Win_create(lock, sizeof lock, sizeof lock[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    while (exchange(1, win))
        ;
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, data);
    MPI_Put(values, 2, MPI_DOUBLE, 1, 0, 2, MPI_DOUBLE, data); /* A */
    exchange(0, win);
    MPI_Win_unlock(1, data);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
