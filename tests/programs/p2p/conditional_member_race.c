/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/* expect: local-race E C */
/* expect: local-race A D */
/*
 * semantics §1: Irecv writes its buffer until its request completes; what counts is what the
 * program loads. A compiler that may not fault loads both sides of a choice and takes one.
 *
 * The side that is being received is chosen.
 */
#include <mpi.h>
#include <stddef.h>

static struct {
    int front, back;
} pair;
static double one, other;
static volatile int which = 1;
volatile double seen;

__attribute__((noinline)) static int member(int f)
{
    return f ? pair.back : pair.front; /* B */
}

__attribute__((noinline)) static double global(int f)
{
    return -(f ? other : one); /* C */
}

__attribute__((noinline)) static int nested(int f, const int *third)
{
    return f == 1 ? pair.back + 1 : f == 2 ? *third + 1 : pair.front + 1; /* D */
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req[2];
    if (rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&pair.back, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&other, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&pair.back, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &req[0]); /* A */
        MPI_Irecv(&other, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &req[1]); /* E */
        seen = member(which);
        seen = global(which);
        seen = nested(which, &rank);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Waitall(2, req, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
