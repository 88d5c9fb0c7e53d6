/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/* notes: thread-level A - */
/*
 * semantics §7: the level of thread support that MPI provided. The main thread calls MPI inside of a
 * parallel region under MPI_THREAD_SINGLE (constraint V (A) of the MARMOT paper).
 *
 * A note.
 */
#include <mpi.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); /* A */
#pragma omp parallel num_threads(2)
    {
        nap();
#pragma omp master
        MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
