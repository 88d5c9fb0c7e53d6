/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one object. A window is another object than
 * its communicator.
 *
 * A fence, and a barrier of the communicator.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static char memory[64];

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Win_fence(0, win); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Barrier(MPI_COMM_WORLD); /* B */
        }
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
