/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: Bcast on an intercommunicator goes from the root to the other group, not to its
 * own.
 *
 * The reader is in the other group.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Comm part, inter;
    int token = 0;
    int mine = rank == 1, leader[2] = {0, 1};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_split(MPI_COMM_WORLD, mine, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, leader[1 - mine], 0, &inter);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Bcast(&token, 1, MPI_INT, mine ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
