/* ranks: 2 */
/* needs: cc */
/* expect: local-race A D */
/* expect: local-race B E */
/* expect: local-race C F */
/*
 * semantics §1: a receive writes its buffer until it is complete, and a send reads it.
 *
 * Structures are passed and returned by value: the copies are part of the calls, and no instruction of their own.
 * They are copied while the messages are on their way.
 */
#include <mpi.h>
#include <stddef.h>

struct body {
    double x, y, z;
};
struct pair {
    double low, high;
};

double total;

__attribute__((noinline)) static void take_body(struct body body)
{
    total += body.x;
}

__attribute__((noinline)) static void take_pair(struct pair pair)
{
    total += pair.high;
}

__attribute__((noinline)) static struct body make_body(MPI_Request *first)
{
    struct body body = {1, 2, total};
    if (first)
        MPI_Wait(first, MPI_STATUS_IGNORE);
    return body;
}

int main(int argc, char **argv)
{
    int rank;
    struct body bodies[2] = {{0}}, out = {1, 2, 3};
    struct pair pair = {0}, other = {4, 5};
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&bodies[1], 3, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]); /* A */
    MPI_Irecv(&pair, 2, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]); /* B */
    MPI_Isend(&other, 2, MPI_DOUBLE, 1 - rank, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&out, 3, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &requests[3]); /* C */
    take_body(bodies[1]); /* D */
    take_pair(pair); /* E */
    out = make_body(NULL); /* F */
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Isend(&out, 3, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv(&bodies[0], 3, MPI_DOUBLE, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    out = make_body(&requests[0]); /* waits before it stores */
    MPI_Finalize();
    return 0;
}
