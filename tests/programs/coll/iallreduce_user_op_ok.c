/* ranks: 3 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: what a reduction function loads and stores it does for MPI, which owns the buffers.
 *
 * The result is read when the reduction is complete.
 */
#include <mpi.h>

static void largest(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        if (((int *)in)[i] > ((int *)inout)[i])
            ((int *)inout)[i] = ((int *)in)[i];
}

static int mine[64], all[64];

int main(int argc, char **argv)
{
    int rank, seen = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op op;
    MPI_Op_create(largest, 1, &op);
    MPI_Request req;
    MPI_Iallreduce(mine, all, 64, MPI_INT, op, MPI_COMM_WORLD, &req); /* A */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    seen = all[argc]; /* B */
    MPI_Op_free(&op);
    MPI_Finalize();
    return seen;
}
