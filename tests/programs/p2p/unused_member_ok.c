/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * They are those of the next structure.
 */
#include <mpi.h>

struct cell {
    int kind;
    unsigned level : 3, flags : 5;
    double values[2];
};
static struct cell data[3];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(&data[1], sizeof data[1], MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&data[1], sizeof data[1], MPI_BYTE, 0, 0, MPI_COMM_WORLD, &req);
        struct cell *cell = &data[2];
        int kind = cell->kind;
        unsigned flags = cell->flags;
        struct cell copy = *cell;
        struct cell own;
        own.values[0] = cell->values[1];
        own.values[1] = 1.0;
        double one = own.values[1];
        (void)kind, (void)flags, (void)copy, (void)own, (void)one;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
