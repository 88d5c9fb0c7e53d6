/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: a generalized request that is complete says nothing of the receive that the program started with it.
 *
 * The program waits for both.
 */
#include <mpi.h>

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    *(int *)extra += 1;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, row[2] = {1, 2}, released = 0;
    MPI_Request reqs[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(row, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &reqs[0]);
    MPI_Grequest_start(query, release, cancel, &released, &reqs[1]);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Grequest_complete(reqs[1]);
    MPI_Wait(&reqs[1], MPI_STATUS_IGNORE);
    MPI_Wait(&reqs[0], MPI_STATUS_IGNORE);
    row[0] = released;
    MPI_Wait(&reqs[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
