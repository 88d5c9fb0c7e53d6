/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. taskloop waits for its
 * tasks.
 *
 * nogroup leaves that out.
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
#pragma omp single
    {
#pragma omp taskloop num_tasks(2) nogroup
        for (int i = 0; i < 2; i++)
            if (i == 0) {
                nap();
                MPI_Barrier(MPI_COMM_SELF); /* A */
                give_turn(1);
            }
        await_turn(1);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
    }
    MPI_Finalize();
    return 0;
}
