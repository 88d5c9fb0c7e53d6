/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: any Wait call on a Raccumulate's request frees its origin buffer.
 *
 * The addend is overwritten after Waitany.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    int add = 1, index;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Raccumulate(&add, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win, &req); /* A */
        MPI_Waitany(1, &req, &index, MPI_STATUS_IGNORE);
        add = 2;
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
