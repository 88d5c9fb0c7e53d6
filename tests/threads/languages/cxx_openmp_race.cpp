// ranks: 2
// needs: cc
// flags: -fopenmp
// expect: thread-collective A B
// semantics §7: two threads in collective calls on one communicator. OpenMP in C++.
//
// Nobody waits for the task.
#include <mpi.h>
#include <omp.h>

#include "../turns.h"

static int value;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            nap();
            MPI_Barrier(MPI_COMM_SELF); // A
            give_turn(1);
        }
        await_turn(1);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); // B
    }
    MPI_Finalize();
    return 0;
}
