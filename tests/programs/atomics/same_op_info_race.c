/* ranks: 3 */
/* needs: run */
/* expect: atomicity A B */
/*
 * semantics §5: with the window info accumulate_ops=same_op not even MPI_NO_OP goes with another
 * operation.
 *
 * The window promises same_op, and MPI_SUM meets MPI_NO_OP.
 */
#include <mpi.h>
#include <stddef.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info info;
    MPI_Win win;
    int value = 1, old = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Win_create(mem, sizeof mem, sizeof(int), info, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Accumulate(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* A */
    if (rank == 1)
        MPI_Get_accumulate(NULL, 0, MPI_INT, &old, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_NO_OP, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Info_free(&info);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
