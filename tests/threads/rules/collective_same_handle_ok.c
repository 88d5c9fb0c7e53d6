/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads in collective calls on one object. A communicator that was freed and
 * another one with its handle are two.
 *
 * One after the other.
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
#pragma omp parallel num_threads(2)
    {
        MPI_Comm comm;
        if (omp_get_thread_num() == 0) {
            MPI_Comm_create_group(MPI_COMM_SELF, group, 0, &comm);
            MPI_Barrier(comm); /* A */
            MPI_Comm_free(&comm);
            give_turn(1);
        } else {
            await_turn(1);
            nap();
            MPI_Comm_create_group(MPI_COMM_SELF, group, 1, &comm);
            MPI_Bcast(&value, 1, MPI_INT, 0, comm); /* B */
            MPI_Comm_free(&comm);
        }
    }
    MPI_Finalize();
    return 0;
}
