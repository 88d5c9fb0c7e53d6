/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * The conditions do not hold: the program never loads.
 */
#include <mpi.h>

static int data[4];
volatile int always = 1, never;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        int some = 0;
        if (never) {
            int first = data[0];
            (void)first;
        }
        if (never) {
            if (data[1] > 0)
                some = 1;
            else
                some = 2;
        }
        for (int i = 0; i < never; i++)
            some += data[2];
        (void)some;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
