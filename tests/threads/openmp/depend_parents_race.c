/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. Dependences order the
 * children of one task.
 *
 * The two have different parents.
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
        int x = 0;
#pragma omp task shared(x)
        {
#pragma omp task shared(x) depend(out : x)
            {
                nap();
                MPI_Barrier(MPI_COMM_SELF); /* A */
                x = 1;
                give_turn(1);
            }
#pragma omp taskwait
        }
#pragma omp task shared(x) depend(in : x)
        {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
#pragma omp taskwait
    }
    MPI_Finalize();
    return 0;
}
