/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one communicator. What is handed over in a
 * critical region is ordered.
 *
 * The second one waits until the box is full.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;
static int full;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* A */
            give_turn(1);
#pragma omp critical (box)
            full = 1;
        } else {
            int got = 0;
            while (!got) {
#pragma omp critical (box)
                got = full;
            }
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
