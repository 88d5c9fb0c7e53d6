/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* compiler: clang */
/* expect: thread-collective A B */
/*
 * semantics §7: two threads in collective calls on one communicator. The teams of a league are
 * not ordered with each other.
 *
 * Two teams.
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
#pragma omp teams num_teams(2) thread_limit(1)
    {
        if (omp_get_team_num() == 0) {
            nap();
            MPI_Barrier(MPI_COMM_SELF); /* A */
            give_turn(1);
        }
        else {
            await_turn(1);
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); /* B */
        }
    }
    MPI_Finalize();
    return 0;
}
