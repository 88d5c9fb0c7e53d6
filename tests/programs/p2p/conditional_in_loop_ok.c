/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1: only loads that the program makes count.
 *
 * The condition never holds. An optimiser likes to load what does not change in a loop in front of it: that load is none of the
 * program's.
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
        MPI_Irecv(&arriving, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
        for (int i = 0; i < 100; i++) {
            values[i] = i;
            if (argc + i == 0)
                total += arriving;
        }
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return total == -1;
}
