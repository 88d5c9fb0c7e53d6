/* A recursive function writes another part of the array. */
#include <mpi.h>

static int tree[128];

static void fill(int *at, int n)
{
    *at = n;
    if (n > 1)
        fill(at + 1, n / 2);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Irecv(tree, 64, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    fill(tree + 64, 32);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
