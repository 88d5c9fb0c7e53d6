/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. A thread may come to the
 * next barrier before all have left this one.
 *
 * One of the barriers is missing.
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
#pragma omp parallel num_threads(4)
    {
        for (int round = 0; round < 3; round++) {
            if (omp_get_thread_num() == round) {
                nap();
                MPI_Barrier(MPI_COMM_SELF); /* A */
                give_turn(2 * round + 1);
            }

            if (omp_get_thread_num() == round + 1) {
                await_turn(2 * round + 1);
                MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
                give_turn(2 * round + 2);
            }
            await_turn(2 * round + 2);
#pragma omp barrier
        }
    }
    MPI_Finalize();
    return 0;
}
