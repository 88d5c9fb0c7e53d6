/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one object. A communicator that was freed and
 * another one with its handle are two.
 *
 * One communicator.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_SELF, &group);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            MPI_Barrier(comm); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            nap();
            MPI_Bcast(&value, 1, MPI_INT, 0, comm); /* B */
        }
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
