/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. Under MPI_THREAD_SINGLE no other
 * thread may call MPI.
 *
 * The main thread does, outside of the region.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); /* A */
#pragma omp parallel num_threads(2)
    nap();
    MPI_Barrier(MPI_COMM_SELF); /* B */
    MPI_Finalize();
    return 0;
}
