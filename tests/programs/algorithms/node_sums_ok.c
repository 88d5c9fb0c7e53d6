/* ranks: 4 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: a sum in two levels. The ranks of a node hand their parts to the leader through a shared window, the leaders
 * exchange theirs by puts between fences, and store the total where the ranks of their node load it. Direct loads and stores
 * need Win_sync and an order between the processes concerned.
 *
 * The last barrier is one of the node.
 */
#include <mpi.h>

enum { NODES = 2, NODE_RANKS = 2 };
static _Alignas(64) long sums[NODES];
volatile long seen;

int main(int argc, char **argv)
{
    int rank, size, unit, place;
    long *mine, *leaders_part, sum = 0;
    MPI_Aint bytes;
    MPI_Comm node, leaders;
    MPI_Win shared, between;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / NODE_RANKS, rank, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_size(node, &size);
    MPI_Comm_split(MPI_COMM_WORLD, place == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    MPI_Win_allocate_shared(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, node, &mine, &shared);
    MPI_Win_shared_query(shared, 0, &bytes, &unit, &leaders_part);
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
        MPI_Win_create(sums, sizeof sums, sizeof sums[0], MPI_INFO_NULL, leaders, &between);
        MPI_Win_fence(0, between);
        for (int i = 0; i < NODES; i++)
            MPI_Put(&sum, 1, MPI_LONG, i, rank / NODE_RANKS, 1, MPI_LONG, between);
        MPI_Win_fence(0, between);
        leaders_part[1] = sums[0] + sums[1];
        MPI_Win_free(&between);
    }
    MPI_Win_sync(shared);
    MPI_Barrier(node);
    MPI_Win_sync(shared);
    seen = leaders_part[1];

    MPI_Win_unlock_all(shared);
    MPI_Win_free(&shared);
    if (place == 0)
        MPI_Comm_free(&leaders);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
