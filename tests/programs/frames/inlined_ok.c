/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1 and §8: the return from a function gives its frame back, which counts as a store to all of it.
 *
 * The send is complete before the inlined body ends; what the caller does behind it is not concerned.
 */
#include <mpi.h>

static inline __attribute__((always_inline)) void start(int tag, MPI_Request *req)
{
    int row[4] = {1, 2, 3, tag};
    MPI_Isend(row, 4, MPI_INT, 1, tag, MPI_COMM_WORLD, req); /* A */
    MPI_Wait(req, MPI_STATUS_IGNORE);
} /* B */

int main(int argc, char **argv)
{
    int rank, own[4] = {5, 6, 7, 8};
    MPI_Request reqs[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(own, 4, MPI_INT, 1, 2, MPI_COMM_WORLD, &reqs[2]);
        for (int tag = 0; tag < 2; tag++)
            start(tag, &reqs[tag]);
    } else {
        for (int tag = 0; tag < 3; tag++)
            MPI_Recv(own, 4, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(3, reqs, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
