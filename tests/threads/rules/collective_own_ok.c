/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one object. A communicator for each thread is
 * the cure.
 *
 * Each has its own.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm left, right;
    MPI_Comm_dup(MPI_COMM_SELF, &left);
    MPI_Comm_dup(MPI_COMM_SELF, &right);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Barrier(left); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, right); /* B */
        }
    }
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
    MPI_Finalize();
    return 0;
}
