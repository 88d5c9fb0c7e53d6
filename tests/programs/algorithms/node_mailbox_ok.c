/* ranks: 4 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: two windows over the same memory. The ranks of a node share the leader's segment; a second window, among the
 * leaders, lies over it, so that sums from other nodes arrive where all ranks of the node read them.
 *
 * The leader's fence tells the leader only; a barrier of the node passes it on.
 */
#include <mpi.h>

enum { NODES = 2, NODE_RANKS = 2 };
volatile long total;

int main(int argc, char **argv)
{
    int rank, size, unit, place;
    long *mine, *box, sum = 0;
    MPI_Aint bytes;
    MPI_Comm node, leaders;
    MPI_Win shared, between = MPI_WIN_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / NODE_RANKS, rank, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_size(node, &size);
    MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    MPI_Win_allocate_shared((place ? 1 : 1 + NODES) * sizeof(long), sizeof(long), MPI_INFO_NULL, node, &mine, &shared);
    MPI_Win_shared_query(shared, 0, &bytes, &unit, &box);
    if (place == 0)
        MPI_Win_create(box + 1, NODES * sizeof(long), sizeof(long), MPI_INFO_NULL, leaders, &between);
    MPI_Win_lock_all(0, shared);

    mine[0] = rank + 1;
    MPI_Win_sync(shared);
    MPI_Barrier(node);
    MPI_Win_sync(shared);
    if (place == 0) {
        for (int i = 0; i < size; i++) {
            long *part;
            MPI_Win_shared_query(shared, i, &bytes, &unit, &part);
            sum += part[0];
        }
        MPI_Win_fence(0, between);
        for (int i = 0; i < NODES; i++)
            MPI_Put(&sum, 1, MPI_LONG, i, rank / NODE_RANKS, 1, MPI_LONG, between);
        MPI_Win_fence(0, between);
    }
    MPI_Win_sync(shared);
    MPI_Barrier(node);
    MPI_Win_sync(shared);
    for (int i = 0; i < NODES; i++)
        total += box[1 + i];

    MPI_Win_unlock_all(shared);
    if (place == 0) {
        MPI_Win_free(&between);
        MPI_Comm_free(&leaders);
    }
    MPI_Win_free(&shared);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
