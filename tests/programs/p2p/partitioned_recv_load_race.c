/* ranks: 2 */
/* needs: cc */
/* mpi: mpich */
/* expect: local-race A B */
/*
 * semantics §1: a partitioned receive writes partition i from Start until Parrived(i) says true or
 * the request completes.
 *
 * Partition 0 has arrived, but the load goes to partition 1, which rank 0 has not even marked
 * ready.
 */
#include <mpi.h>

static double data[8];
volatile double seen;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Psend_init(data, 2, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
        MPI_Start(&req);
        MPI_Pready(0, req);
        MPI_Pready(1, req);
    } else {
        int arrived = 0;
        MPI_Precv_init(data, 2, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &req);
        MPI_Start(&req); /* A */
        while (!arrived)
            MPI_Parrived(req, 0, &arrived);
        seen = data[4]; /* B */
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Request_free(&req);
    MPI_Finalize();
    return 0;
}
