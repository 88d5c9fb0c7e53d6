/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. The end of an inner region
 * orders it with who waits for the thread that met it.
 *
 * A barrier of the outer team follows.
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
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            {
                if (omp_get_thread_num() == 1) {
                    nap();
                    MPI_Barrier(MPI_COMM_SELF); /* A */
                    give_turn(1);
                }
            }
        }
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
