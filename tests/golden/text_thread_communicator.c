/* How to give each thread a communicator, and nothing of windows or files. */
/* expect: thread-collective 21 25 */
/* flags: -fopenmp */
/* checks: compiled in */
/* says: give each thread a communicator of its own (MPI_Comm_dup), or order the calls of the threads. */
#include <mpi.h>
#include <omp.h>

#include "../threads/turns.h"

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm left, right;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            nap();
            MPI_Comm_dup(MPI_COMM_SELF, &left);
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Comm_dup(MPI_COMM_SELF, &right);
        }
    }
    MPI_Comm_free(&left);
    MPI_Comm_free(&right);
    MPI_Finalize();
    return 0;
}
