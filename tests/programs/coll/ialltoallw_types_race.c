/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/*
 * semantics §1: Alltoallw has a datatype per peer and displacements in bytes.
 *
 * The store hits the double from rank 1 at byte 8.
 */
#include <mpi.h>

static _Alignas(16) char in[16];
static int out_int;
static double out_double;

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    void *base = rank == 0 ? (void *)&out_int : (void *)&out_double;
    int counts[2] = {1, 1}, to[2] = {0, 8}, from[2] = {0, 0};
    MPI_Datatype in_types[2] = {MPI_INT, MPI_DOUBLE}, out_types[2];
    out_types[0] = out_types[1] = rank == 0 ? MPI_INT : MPI_DOUBLE;
    MPI_Ialltoallw(base, counts, from, out_types, in, counts, to, in_types, MPI_COMM_WORLD, &req); /* A */
    in[8] = 1; /* B */
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
