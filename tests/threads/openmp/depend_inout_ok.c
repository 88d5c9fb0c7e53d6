/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. Tasks that change the same
 * variable come one after the other.
 *
 * The same variable.
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
        int x = 0, y = 0;
#pragma omp task shared(x, y) depend(inout : x)
        {
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* A */
            x = y;
            give_turn(1);
        }
#pragma omp task shared(x, y) depend(inout : x)
        {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
#pragma omp taskwait
    }
    MPI_Finalize();
    return 0;
}
