/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §4: a buffer is in use until its local completion, also if it lies in another rank's segment.
 *
 * Rank 0 tells rank 1 when the send is complete.
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
        MPI_Isend(other, 8, MPI_INT, 2, 1, MPI_COMM_WORLD, &request); /* A */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        mine[3] = 1; /* B */
    } else {
        int got[8];
        MPI_Recv(got, 8, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(shared);
    MPI_Win_free(&shared);
    MPI_Finalize();
    return 0;
}
