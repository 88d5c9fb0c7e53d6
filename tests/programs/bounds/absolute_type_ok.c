/* ranks: 2 */
/* mpi: mpich */
/* needs: run */
/* expect: none */
/*
 * semantics §8, out of the window: in a dynamic window a target datatype may hold addresses, with displacement 0. Each block has to
 * be in attached memory. Open MPI 4.1.4 takes what one operation reaches for one piece and ends with MPI_ERR_RMA_RANGE, without Regatta, too.
 *
 * Each block is in a piece of its own.
 */
#include <mpi.h>

static int memory[64];

int main(int argc, char **argv)
{
    int rank, values[4] = {1, 2, 3, 4}, shift = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Aint pieces[2];
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, 16);
    MPI_Win_attach(win, memory + 32, 16);
    MPI_Get_address(memory, &pieces[0]);
    MPI_Get_address(memory + 32, &pieces[1]);
    MPI_Bcast(pieces, 2, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Datatype type;
        pieces[1] -= shift * (MPI_Aint)sizeof(int);
        MPI_Type_create_hindexed_block(2, 2, pieces, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(values, 4, MPI_INT, 1, 0, 1, type, win);
        MPI_Win_unlock(1, win);
        MPI_Type_free(&type);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, memory);
    MPI_Win_detach(win, memory + 32);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
