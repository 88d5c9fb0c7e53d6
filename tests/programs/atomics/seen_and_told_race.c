/* ranks: 3 */
/* needs: run */
/* expect: remote-race A B */
/* expect: remote-race B C */
/*
 * semantics §3, atomics as synchronisation: rank 1 has seen an update and tells rank 2, which knows then,
 * too, that the update is over.
 *
 * The message goes before rank 1 has looked.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, zero = 0, flag = 0;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* A */
        MPI_Win_flush(1, win);
    } else if (rank == 1) {
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, win); /* C */
        MPI_Win_flush_local(1, win);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&zero, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
        MPI_Win_flush(1, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
