/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the buffer of MPI_Irecv must not be touched before its completion.
 *
 * Two neighbours in a structure, in a loop that may be left between them. It is left in the second round: the other one is being received, and was touched.
 */
#include <mpi.h>

static struct {
    double first, second;
} pair;

static int rounds = 10;

static __attribute__((noinline)) void add(int last)
{
    for (int i = 0; i < rounds; i++) {
        pair.first += i;
        if (i == last)
            break;
        pair.second += i; /* B */
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request req;
        MPI_Irecv(&pair.second, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &req); /* A */
        MPI_Barrier(MPI_COMM_WORLD);
        add(1);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        double value = 1;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return argc < 0;
}
