/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: the level of thread support that MPI provided. MPI_THREAD_SERIALIZED permits one
 * call at a time.
 *
 * A barrier keeps them apart.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Barrier(MPI_COMM_SELF); /* A */
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            nap();
            MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
