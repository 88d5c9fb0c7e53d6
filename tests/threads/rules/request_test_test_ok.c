/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: one request in calls of two threads. Two tests of one request: not settled in
 * MPI, a warning.
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
    int letter = 1, box = 0, flag = 0;
    MPI_Request request;
    MPI_Irecv(&box, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(&letter, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* A */
            give_turn(1);
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            await_turn(1);
            nap();
            int other;
            MPI_Test(&request, &other, MPI_STATUS_IGNORE); /* B */
        }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
