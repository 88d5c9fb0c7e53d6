/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-level A B */
/*
 * semantics §7: the level of thread support that MPI provided. Under MPI_THREAD_SINGLE no other
 * thread may call MPI.
 *
 * Another thread calls MPI.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); /* A */
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            MPI_Barrier(MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
