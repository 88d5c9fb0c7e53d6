/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. Two tasks of one parent that
 * one thread executes are as little ordered as those that two execute: the other thread of the
 * team is busy.
 *
 * taskwait stands between them.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task
            MPI_Barrier(MPI_COMM_SELF); /* A */
#pragma omp taskwait
#pragma omp task
            {
                MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
                give_turn(1);
            }
#pragma omp taskyield
#pragma omp taskwait
        } else {
            await_turn(1);
        }
    }
    MPI_Finalize();
    return 0;
}
