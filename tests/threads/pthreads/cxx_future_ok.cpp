/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: the value of a promise → get of its future.
 */
#include <mpi.h>
#include <pthread.h>
#include <future>
#include <thread>
static std::promise<int> promise;
static int buffer[100];
static void store()
{
    buffer[3] = 1;
    promise.set_value(1);
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::thread worker(store);
        promise.get_future().get();
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        worker.join();
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
