// ranks: 2
// needs: cc
// flags: -pthread
// expect: none
// semantics §7: two threads in collective calls on one communicator. Threads of C++.
//
// A lock_guard keeps them apart.
#include <mpi.h>
#include <mutex>
#include <thread>

#include "../turns.h"

static int value;
static std::mutex mutex;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    std::thread thread([] {
        await_turn(1);
        std::lock_guard<std::mutex> guard(mutex);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF); // B
    });
    {
        std::lock_guard<std::mutex> guard(mutex);
        MPI_Barrier(MPI_COMM_SELF); // A
        give_turn(1);
    }
    thread.join();
    MPI_Finalize();
    return 0;
}
