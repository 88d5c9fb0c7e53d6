/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3, atomics as synchronisation: Peterson's lock of two flags and a turn. Who comes in has read a flag that its
 * holder took back, or a turn that the other wrote after its last time inside: either update was issued after the put.
 *
 * The put is flushed before the flag is taken back.
 */
#include <mpi.h>

static _Alignas(64) int words[3];
static _Alignas(64) int account[1];
static MPI_Win locks;

static void set(int where, int value)
{
    MPI_Accumulate(&value, 1, MPI_INT, 0, where, 1, MPI_INT, MPI_REPLACE, locks);
    MPI_Win_flush(0, locks);
}

static int get(int where)
{
    int nothing = 0, value;
    MPI_Fetch_and_op(&nothing, &value, MPI_INT, 0, where, MPI_NO_OP, locks);
    MPI_Win_flush(0, locks);
    return value;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win data;
    MPI_Win_create(words, sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &locks);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, locks);
    MPI_Win_lock_all(0, data);
    for (int round = 0; round < 3; round++) {
        set(rank, 1);
        set(2, 1 - rank);
        while (get(1 - rank) && get(2) == 1 - rank)
            ;
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, data);
        MPI_Win_flush(0, data);
        set(rank, 0);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(locks);
    MPI_Win_free(&data);
    MPI_Win_free(&locks);
    MPI_Finalize();
    return 0;
}
