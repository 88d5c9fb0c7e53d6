/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-level A B */
/*
 * semantics §7: the level of thread support that MPI provided. Under MPI_THREAD_FUNNELED only the
 * main thread may call MPI.
 *
 * Another thread of the team calls MPI.
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
        if (omp_get_thread_num() == 1) {
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
