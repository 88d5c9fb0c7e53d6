/* ranks: 3 */
/* needs: cc */
/* expect: shared-window A B */
/*
 * semantics §2: after Request_free a buffer is in use until the peer's matching completion. It lies in the peer's segment.
 *
 * Rank 1 stores before it has received.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *mine, *other, token = 0, unit;
    MPI_Aint size;
    MPI_Win shared;
    MPI_Win_allocate_shared(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &shared);
    MPI_Win_shared_query(shared, 1, &size, &unit, &other);
    MPI_Win_lock_all(0, shared);
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(other, 8, MPI_INT, 1, 1, MPI_COMM_WORLD, &request); /* A */
        MPI_Request_free(&request);
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        int got[8];
        mine[3] = 1; /* B */
        MPI_Recv(got, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(shared);
    MPI_Win_free(&shared);
    MPI_Finalize();
    return 0;
}
