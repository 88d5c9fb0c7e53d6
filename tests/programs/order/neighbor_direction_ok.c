/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §3: a neighbourhood collective orders in-neighbours before me.
 *
 * The edge of the graph goes from the writer to the reader.
 */
#include <mpi.h>

static _Alignas(64) int mem[1];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int one = 1, seen = 0;
    MPI_Comm graph;
    int mine = 1, in = 0, weight = 1;
    int from = 0, to = 1;
    MPI_Win win;
    MPI_Win_create(mem, sizeof mem, sizeof mem[0], MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == to, &from, &weight, rank == from, &to, &weight, MPI_INFO_NULL, 0, &graph);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* A */
        MPI_Win_flush(1, win);
    }
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, &in, 1, MPI_INT, graph);
    if (rank == 1)
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* B */
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&graph);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
