/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one object. Nonblocking ones count, too.
 *
 * On two.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm left, right;
    MPI_Comm_dup(MPI_COMM_SELF, &left);
    MPI_Comm_dup(MPI_COMM_SELF, &right);
    MPI_Request requests[1];
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Ibarrier(left, &requests[0]); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, right); /* B */
        }
    }
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
    MPI_Finalize();
    return 0;
}
