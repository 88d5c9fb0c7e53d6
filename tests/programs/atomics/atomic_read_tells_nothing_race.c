/* ranks: 2 */
/* needs: run */
/* expect: remote-race A B */
/*
 * semantics §3, atomics as synchronisation: an atomic read is no update. Both processes read the same word, but neither
 * learns of the other.
 *
 * What is meant to give the put free is MPI_NO_OP.
 */
#include <mpi.h>

static _Alignas(64) unsigned word[1];
static _Alignas(64) float account[3];

int main(int argc, char **argv)
{
    int rank;
    unsigned one = 1, seen = 0, end;
    float values[3] = {1, 2, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op op = MPI_NO_OP;
    end = op == MPI_SUM;
    MPI_Win win, data;
    MPI_Win_create(word, sizeof word, sizeof word[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(account, sizeof account, sizeof account[0], MPI_INFO_NULL, MPI_COMM_WORLD, &data);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, data);
    if (rank == 1) {
        MPI_Put(values, 3, MPI_FLOAT, 0, 0, 3, MPI_FLOAT, data); /* A */
        MPI_Win_flush_all(data);
        MPI_Get_accumulate(&one, 1, MPI_UNSIGNED, &seen, 1, MPI_UNSIGNED, 0, 0, 1, MPI_UNSIGNED, op, win);
        MPI_Win_flush_all(win);
    } else {
        do {
            MPI_Get_accumulate(&one, 1, MPI_UNSIGNED, &seen, 1, MPI_UNSIGNED, 0, 0, 1, MPI_UNSIGNED, MPI_NO_OP, win);
            MPI_Win_flush_all(win);
        } while (seen != end);
        MPI_Get(values, 3, MPI_FLOAT, 0, 0, 3, MPI_FLOAT, data); /* B */
        MPI_Win_flush_all(data);
    }
    MPI_Win_unlock_all(data);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&data);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
