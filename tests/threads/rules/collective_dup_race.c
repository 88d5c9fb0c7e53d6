/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one object. A constructor is a collective call
 * on its parent.
 *
 * Both duplicate one communicator.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm left, right;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Comm_dup(MPI_COMM_SELF, &left); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Comm_dup(MPI_COMM_SELF, &right); /* B */
        }
    }
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
    MPI_Finalize();
    return 0;
}
