/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. A loop ends with a barrier.
 *
 * The barrier at the end of the loop.
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
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++)
            if (i == 0) {
                nap();
                MPI_Barrier(MPI_COMM_SELF); /* A */
                give_turn(1);
            }
        if (omp_get_thread_num() == 1) {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
