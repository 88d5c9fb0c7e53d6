/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §1: addresses of a dynamic window are computed with MPI_Aint_add.
 *
 * They begin two elements behind.
 */
#include <mpi.h>

static _Alignas(64) int mem[8];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value[2] = {1, 2};
    MPI_Win win;
    MPI_Aint at;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, mem, sizeof mem);
    MPI_Get_address(mem, &at);
    MPI_Bcast(&at, 1, MPI_AINT, 2, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(value, 2, MPI_INT, 2, at, 2, MPI_INT, win); /* A */
    if (rank == 1)
        MPI_Put(value, 2, MPI_INT, 2, MPI_Aint_add(at, 2 * sizeof(int)), 2, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, mem);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
