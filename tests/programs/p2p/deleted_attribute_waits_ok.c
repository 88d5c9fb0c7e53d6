/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §2: a wait in a callback completes like any other; a communicator's attribute may hold a request.
 *
 * The callback waits for the request.
 */
#include <mpi.h>
#include <stddef.h>

static int finish(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra, (void)value;
    MPI_Wait(value, MPI_STATUS_IGNORE);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, key, row[3] = {1, 2, 3};
    MPI_Request req = MPI_REQUEST_NULL;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finish, &key, NULL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_attr(comm, key, &req);
    if (rank == 0)
        MPI_Isend(row, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
    else
        MPI_Recv(row, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    if (rank == 0)
        row[0] = 4;
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
