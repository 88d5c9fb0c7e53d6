/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. single ends with a barrier.
 *
 * The barrier at the end of single.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;
static volatile int first;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            first = omp_get_thread_num();
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* A */
            give_turn(1);
        }
        await_turn(1);
        if (omp_get_thread_num() != first) {
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
