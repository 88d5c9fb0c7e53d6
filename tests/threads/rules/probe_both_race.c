/* ranks: 2 */
/* needs: cc */
/* flags: -fopenmp */
/* expect: thread-probe A B */
/* expect: thread-probe C D */
/*
 * semantics §7: two threads probe with a wildcard, and each receives exactly what it found. In this
 * run the second one came later and found another message; in another run both find the first one,
 * and one of the receives takes what the other thread has probed.
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
            MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_SELF, &status); /* A */
            MPI_Recv(&first, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* D */
            give_turn(1);
        } else {
            await_turn(1);
            MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_SELF, &status); /* C */
            MPI_Recv(&second, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* B */
        }
    }
    MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
    value = first + second;
    MPI_Finalize();
    return 0;
}
