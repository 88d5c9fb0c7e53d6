/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* compiler: clang */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. A detached task is over when
 * its event is fulfilled; who waits for it knows what came before that.
 *
 * taskwait.
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
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event)
        nap();
#pragma omp task firstprivate(event)
        {
            MPI_Barrier(MPI_COMM_SELF); /* A */
            give_turn(1);
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
    }
    MPI_Finalize();
    return 0;
}
