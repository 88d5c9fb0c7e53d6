/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: the constructor of the first window, on a part of the processes, orders what is before it, not what a
 * process that has run ahead does after it. On a busy machine rank 0 is often in MPI_Win_free while rank 1 is still in
 * the constructor.
 *
 * The message leads from the put to the get.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank, one = 1, seen = 0, token = 0;
    MPI_Comm inner; /* ranks 0 and 1 */
    MPI_Win win = MPI_WIN_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &inner);
    if (rank != 2) {
        MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, inner, &win);
        MPI_Win_lock_all(0, win);
        if (rank == 0) {
            MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
            MPI_Win_flush(1, win);
            MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
            MPI_Win_flush(1, win);
        }
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    }
    MPI_Comm_free(&inner);
    MPI_Finalize();
    return 0;
}
