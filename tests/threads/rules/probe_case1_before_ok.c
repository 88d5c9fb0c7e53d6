/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: a receive that can take what another thread has probed (table 2 of the MARMOT
 * paper). Case 1, the other receive comes first.
 *
 * A barrier does.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;
static void meet(void)
{
#pragma omp barrier
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int letters[2] = {1, 2}, first = 0, second = 0;
    MPI_Request sends[2];
    for (int i = 0; i < 2; i++)
        MPI_Isend(&letters[i], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &sends[i]);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            meet();
            MPI_Probe(0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* A */
            MPI_Recv(&first, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        } else {
            nap();
            MPI_Recv(&second, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* B */
            meet();
        }
    }
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    value = first + second;
    MPI_Finalize();
    return 0;
}
