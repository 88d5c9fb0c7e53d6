/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/* expect: local-race A C */
/* expect: local-race A D */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * Functions load for results that the caller ignores.
 */
#include <mpi.h>

static int data[4];

static int element(const int *from, int i)
{
    return from[i]; /* B */
}

static int has_negative(const int *from, int n)
{
    for (int i = 0; i < n; i++)
        if (from[i] < 0) /* C */
            return 1;
    return 0;
}

__attribute__((noinline)) static int last(const int *from)
{
    return from[3]; /* D */
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
        MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &req); /* A */
        element(data, 1);
        has_negative(data, 2);
        int unused = last(data);
        (void)unused;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
