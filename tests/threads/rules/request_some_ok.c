/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: one request in calls of two threads. MPI_Waitsome beside MPI_Testall:
 * all requests of both arrays count.
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
    int letter = 1, box[2] = {0, 0};
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++) {
        MPI_Irecv(&box[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &requests[i]);
        MPI_Send(&letter, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            int done = 0, count, which[2];
            while (done < 2) {
                MPI_Waitsome(2, requests, &count, which, MPI_STATUSES_IGNORE); /* A */
                done += count;
            }
            give_turn(1);
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            await_turn(1);
            nap();
            int all;
            MPI_Testall(2, requests, &all, MPI_STATUSES_IGNORE); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
