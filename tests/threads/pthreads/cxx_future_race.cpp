/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §3: the value of a promise → get of its future.
 * 
 * The worker stores behind it.
 */
#include <mpi.h>
#include <pthread.h>
#include <future>
#include <thread>
static std::promise<int> promise;
static int buffer[100];
static void store()
{
    promise.set_value(1);
    buffer[3] = 1; // A
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::thread worker(store);
        promise.get_future().get();
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD); // B
        worker.join();
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
