/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: a receive that can take what another thread has probed (table 2 of the MARMOT
 * paper). MPI_Sendrecv_replace receives, too.
 *
 * It takes another tag.
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
        MPI_Isend(&letters[i], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &sends[i]);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Probe(0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* A */
            give_turn(1);
            MPI_Recv(&first, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        } else {
            await_turn(1);
            MPI_Sendrecv_replace(&second, 1, MPI_INT, 0, 5, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* B */
        }
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    value = first + second;
    MPI_Finalize();
    return 0;
}
