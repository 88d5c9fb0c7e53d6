/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * None of the choices takes the element of the buffer in use; the sizes of elements are no loads.
 */
#include <mpi.h>

static int data[8];
volatile int always = 1, never;

static int element(const int *from, int i, int wanted)
{
    return wanted ? from[i] : 0;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        int some = never;
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        int chosen = never ? data[0] : data[4];
        int both = never && data[1];
        switch (never) {
        case 1:
            some = data[2];
            break;
        default:
            some = data[5];
        }
        element(data, 3, never);
        int bytes = sizeof data[never] + sizeof some;
        (void)chosen, (void)both, (void)some, (void)bytes;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
