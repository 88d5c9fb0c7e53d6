/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. copyprivate hands a value to
 * all threads, which wait for it.
 *
 * One of them sets it for all.
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
        int got;
        if (omp_get_thread_num() == 0) {
            MPI_Barrier(MPI_COMM_SELF); /* A */
            give_turn(1);
        }
#pragma omp single copyprivate(got)
        got = 1;
        await_turn(got);
        if (omp_get_thread_num() == 1) {
            nap();
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
