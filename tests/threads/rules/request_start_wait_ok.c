/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: one request in calls of two threads. A start beside a wait: not settled in MPI, a
 * warning.
 *
 * A barrier does.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int letter = 1;
    MPI_Request request;
    MPI_Send_init(&letter, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Start(&request); /* A */
            give_turn(1);
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            await_turn(1);
            nap();
            MPI_Wait(&request, MPI_STATUS_IGNORE); /* B */
        }
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
