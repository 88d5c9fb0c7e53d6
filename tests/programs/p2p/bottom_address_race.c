/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: MPI_BOTTOM with absolute addresses touches the bytes at those addresses.
 *
 * The store hits the second of the two variables sent.
 */
#include <mpi.h>

static int one, two, three;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    MPI_Datatype both;
    MPI_Aint at[2];
    int lengths[2] = {1, 1};
    MPI_Get_address(&one, &at[0]);
    MPI_Get_address(&two, &at[1]);
    MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &both);
    MPI_Type_commit(&both);
    if (rank == 0) {
        MPI_Isend(MPI_BOTTOM, 1, both, 1, 0, MPI_COMM_WORLD, &req); /* A */
        two = 8; /* B */
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(MPI_BOTTOM, 1, both, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        three = one;
    }
    MPI_Type_free(&both);
    MPI_Finalize();
    return 0;
}
