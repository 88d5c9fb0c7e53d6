/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: none */
/*
 * semantics §7: two threads probe, each for a tag of its own, and each receives what it found: neither
 * can take the message of the other one.
 */
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int letters[2] = {1, 2}, first = 0, second = 0;
    MPI_Request sends[2];
    for (int i = 0; i < 2; i++)
        MPI_Isend(&letters[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &sends[i]);
#pragma omp parallel num_threads(2)
    {
        MPI_Status status;
        if (omp_get_thread_num() == 0) {
            MPI_Probe(0, 0, MPI_COMM_SELF, &status);
            MPI_Recv(&first, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Probe(0, 1, MPI_COMM_SELF, &status);
            MPI_Recv(&second, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    value = first + second;
    MPI_Finalize();
    return 0;
}
