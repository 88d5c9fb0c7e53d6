/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: the place of a call is the function that makes it, also if the call is the last thing that it does.
 *
 * The buffer is cleared while it is sent.
 */
#include <mpi.h>
#include <string.h>

static int out[8] = {1, 2, 3, 4};
static MPI_Request request;

__attribute__((noinline)) static int begin(void)
{
    return MPI_Start(&request); /* A */
}

__attribute__((noinline)) static void *clear(void *memory)
{
    return memset(memory, 0, sizeof out); /* B */
}

int main(int argc, char **argv)
{
    int rank, in[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send_init(out, 8, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    begin();
    MPI_Recv(in, 8, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    clear(out);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
