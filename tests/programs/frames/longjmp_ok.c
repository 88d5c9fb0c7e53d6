/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The send is complete before the jump.
 */
#include <mpi.h>
#include <setjmp.h>

static jmp_buf back;

static void start(MPI_Request *req)
{
    int row[4] = {1, 2, 3, 4};
    MPI_Isend(row, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, req); /* A */
    MPI_Wait(req, MPI_STATUS_IGNORE);
    longjmp(back, 1); /* B */
}

int main(int argc, char **argv)
{
    int rank, row[4];
    static MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (!setjmp(back))
            start(&req);
    } else {
        MPI_Recv(row, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
