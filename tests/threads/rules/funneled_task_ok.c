/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. A task may be executed by any
 * thread of the team.
 *
 * The main thread itself calls MPI.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); /* A */
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
#pragma omp task
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
