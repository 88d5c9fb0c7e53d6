/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-level A B */
/*
 * semantics §7: the level of thread support that MPI provided. A task may be executed by any
 * thread of the team.
 *
 * The other thread executes it, since the main one waits for it.
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
            {
                MPI_Barrier(MPI_COMM_SELF); /* B */
                give_turn(1);
            }
            await_turn(1);
        }
    }
    MPI_Finalize();
    return 0;
}
