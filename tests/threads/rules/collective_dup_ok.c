/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one object. A constructor is a collective call
 * on its parent.
 *
 * Each duplicates its own.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm left, right;
    MPI_Comm_dup(MPI_COMM_SELF, &left);
    MPI_Comm_dup(MPI_COMM_SELF, &right);
    MPI_Comm first, second;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Comm_dup(left, &first); /* A */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Comm_dup(right, &second); /* B */
        }
    }
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Finalize();
    return 0;
}
