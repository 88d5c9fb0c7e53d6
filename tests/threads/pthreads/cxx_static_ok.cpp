/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §3: the initialisation of a static object → all who use it.
 */
#include <mpi.h>
#include <pthread.h>
#include <thread>

static int buffer[100];
static int fill()
{
    buffer[3] = 1;
    return 1;
}

static int use()
{
    static int filled = fill();
    return filled;
}

static void store()
{
    use();
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::thread worker(store);
        use();
        MPI_Send(buffer, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        worker.join();
    } else {
        MPI_Recv(buffer, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
