/* ranks: 3 */
/* needs: run */
/* expect: none */
/*
 * semantics §5: the same memory in a created and in a dynamic window.
 *
 * They reach different elements.
 */
#include <mpi.h>

static _Alignas(64) int mem[4];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Win dynamic;
    MPI_Aint at;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_attach(dynamic, mem, sizeof mem);
    MPI_Get_address(&mem[1], &at);
    MPI_Bcast(&at, 1, MPI_AINT, 2, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, dynamic);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    if (rank == 1)
        MPI_Put(&value, 1, MPI_INT, 2, at, 1, MPI_INT, dynamic); /* B */
    MPI_Win_unlock_all(dynamic);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(dynamic, mem);
    MPI_Win_free(&dynamic);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
