/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-probe A B */
/*
 * semantics §7: a receive that can take what another thread has probed (table 2 of the MARMOT
 * paper). Wildcards on both sides.
 *
 * The receive takes any message.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int letters[2] = {1, 2}, first = 0, second = 0;
    MPI_Request sends[2];
    for (int i = 0; i < 2; i++)
        MPI_Isend(&letters[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &sends[i]);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Status status;
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &status); /* A */
            MPI_Recv(&first, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            give_turn(1); /* not before: the other one would take the message, and this one wait for ever */
        } else {
            await_turn(1);
            MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* B */
        }
    }
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    value = first + second;
    MPI_Finalize();
    return 0;
}
