/* The same with a thread that was there before MPI was.
 * ranks: 2
 * cc: -pthread
 * at: 0 MPI_Recv 27
 * at: 1 MPI_Recv 27
 * cycle: none */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static int rank;

static void *send_later(void *unused)
{
    int x = 1;
    sleep(60);
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int y, provided;
    pthread_t thread; pthread_create(&thread, NULL, send_later, NULL);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
