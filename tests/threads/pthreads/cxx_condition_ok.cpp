/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: std::mutex and std::condition_variable.
 */
#include <mpi.h>
#include <pthread.h>
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex mutex;
static std::condition_variable changed;
static bool done;
static int buffer[100];
static void store()
{
    buffer[3] = 1;
    {
        std::lock_guard<std::mutex> held(mutex);
        done = true;
    }
    changed.notify_one();
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::thread worker(store);
        {
            std::unique_lock<std::mutex> held(mutex);
            changed.wait(held, [] { return done; });
        }
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        worker.join();
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
