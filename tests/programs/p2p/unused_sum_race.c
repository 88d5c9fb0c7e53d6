/* ranks: 2 */
/* needs: cc */
/* expect: local-race A B */
/* expect: local-race A C */
/*
 * semantics §1, Irecv writes its buffer until local completion (§2).
 *
 * A sum and a maximum over the buffer in use, of which nobody wants to know.
 */
#include <mpi.h>

enum { N = 100 };
static double data[2 * N];

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request req;
    if (rank == 0) {
        MPI_Send(data, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &req); /* A */
        double sum = 0.0, most = 0.0;
        for (int i = 0; i < N; i++)
            sum += data[i]; /* B */
        for (int i = 0; i < N; i++)
            most = data[i] > most ? data[i] : most; /* C */
        (void)sum, (void)most;
        MPI_Wait(&req, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
