/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* notes: none */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. The main thread calls MPI inside of a
 * parallel region under MPI_THREAD_SINGLE (constraint V (A) of the MARMOT paper).
 *
 * The level permits it.
 */
#include <mpi.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
#pragma omp parallel num_threads(2)
    {
        nap();
#pragma omp master
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
