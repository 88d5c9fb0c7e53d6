/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/* expect: local-race A C */
/* expect: local-race A D */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * Loads before Wait whose values nobody needs, under conditions that hold; the second one decides
 * only about such a value.
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
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        int some = 0;
        if (always) {
            int first = data[0]; /* B */
            (void)first;
        }
        if (always) {
            if (data[1] > 0) /* C */
                some = 1;
            else
                some = 2;
        }
        for (int i = 0; i < always; i++)
            some += data[2]; /* D */
        (void)some;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
