/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * They are called behind Wait.
 */
#include <mpi.h>

static int data[4];

static int element(const int *from, int i)
{
    return from[i];
}

static int has_negative(const int *from, int n)
{
    for (int i = 0; i < n; i++)
        if (from[i] < 0)
            return 1;
    return 0;
}

__attribute__((noinline)) static int last(const int *from)
{
    return from[3];
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
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        element(data, 1);
        has_negative(data, 2);
        int unused = last(data);
        (void)unused;
    }
    MPI_Finalize();
    return 0;
}
