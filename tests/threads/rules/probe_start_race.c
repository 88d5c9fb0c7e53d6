/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-probe A B */
/*
 * semantics §7: a receive that can take what another thread has probed (table 2 of the MARMOT
 * paper). So does a persistent receive, when it is started.
 *
 * It takes the same tag.
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
    MPI_Request sends[2], persistent;
    MPI_Recv_init(&second, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &persistent);
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
            MPI_Start(&persistent); /* B */
            MPI_Wait(&persistent, MPI_STATUS_IGNORE);
        }
    }
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    value = first + second;
    MPI_Request_free(&persistent);
    MPI_Finalize();
    return 0;
}
