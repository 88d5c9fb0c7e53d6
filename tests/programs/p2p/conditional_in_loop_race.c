/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: only loads that the program makes count.
 *
 * The condition holds once, in the last turn of the loop, while the receive is pending.
 */
#include <mpi.h>

static int values[100], arriving;
int total;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request req;
        MPI_Irecv(&arriving, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &req); /* A */
        for (int i = 0; i < 100; i++) {
            values[i] = i;
            if (argc + i == 100)
                total += arriving; /* B */
        }
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return total == -1;
}
