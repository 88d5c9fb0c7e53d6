/* ranks: 4 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: a neighbourhood collective orders neighbours, not the whole communicator.
 *
 * In the line 0-1-2-3 they are.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Comm order, line;
    int mine = 1, in[2] = {0}, size = 4, periodic = 0;
    int place[4] = {0, 1, 2, 3};
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_split(MPI_COMM_WORLD, 0, place[rank], &order);
    MPI_Cart_create(order, 1, &size, &periodic, 0, &line);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, in, 1, MPI_INT, line);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&line);
    MPI_Comm_free(&order);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
