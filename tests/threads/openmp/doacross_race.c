/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. An iteration that waits for
 * another one comes after it.
 *
 * It waits for the wrong one.
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
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered(1)
    for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink : i - 3)
        if (i == 1) {
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* A */
            give_turn(1);
        } else if (i == 2) {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
#pragma omp ordered depend(source)
    }
    MPI_Finalize();
    return 0;
}
