/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. A lock that is taken twice
 * is free when it was given back twice.
 *
 * Each takes another lock.
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
    omp_nest_lock_t left, right;
    omp_init_nest_lock(&left);
    omp_init_nest_lock(&right);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_nest_lock(&left);
            omp_set_nest_lock(&left);
            omp_unset_nest_lock(&left);
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* A */
            omp_unset_nest_lock(&left);
        } else {
            omp_set_nest_lock(&right);
            nap();
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
            omp_unset_nest_lock(&right);
        }
    }
    omp_destroy_nest_lock(&left);
    omp_destroy_nest_lock(&right);
    MPI_Finalize();
    return 0;
}
