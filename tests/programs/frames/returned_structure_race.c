/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1 and §8: a structure that a function returns is the caller's, a local variable that it was made in is not.
 *
 * The message comes into the local variable, which is copied for the caller.
 */
#include <mpi.h>
#include <stddef.h>

struct row {
    int n;
    int values[20];
};

static void post(struct row *row, MPI_Request *req)
{
    MPI_Irecv(row->values, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, req); /* A */
}

static struct row make(int n)
{
    struct row row;
    row.n = n;
    return row;
}

static int receive(int n, MPI_Request *req)
{
    struct row row;
    row.n = n;
    post(&row, req);
    return row.n; /* B */
}

int main(int argc, char **argv)
{
    int rank, n = 0, row[20] = {0};
    MPI_Request req = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        struct row mine = make(3);
        n = receive(mine.n, &req);
        /* What is received here would meet another frame's memory. */
        MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(row, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return n < 0;
}
