/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. Regions of different sizes,
 * one after the other.
 *
 * Within each region.
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
    for (int n = 2; n <= 4; n++) {
#pragma omp parallel num_threads(n)
        {
            if (omp_get_thread_num() == n - 1) {
                nap();
                MPI_Barrier(MPI_COMM_SELF); /* A */
                give_turn(n);
            } else if (omp_get_thread_num() == 0) {
                await_turn(n);
                MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
            }
        }
    }
    MPI_Finalize();
    return 0;
}
