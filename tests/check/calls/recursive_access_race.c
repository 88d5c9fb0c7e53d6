/* A recursive function, which cannot be inlined as a whole, writes the buffer. Its first call does so at once.
 * expect: local-race A B */
#include <mpi.h>

static int tree[64];

static void fill(int *at, int n)
{
    *at = n; /* B */
    if (n > 1)
        fill(at + 1, n / 2);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Irecv(tree, 64, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* A */
    fill(tree, 32);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
