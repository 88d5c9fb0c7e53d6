/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one object. MPI_Comm_split is collective over
 * the communicator that is split.
 *
 * A broadcast beside it.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm part;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Comm_split(MPI_COMM_SELF, 0, 0, &part); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
