/* Both main threads wait for each other; other threads are going to send.
 * ranks: 2
 * cc: -pthread
 * at: 0 MPI_Recv 26
 * at: 1 MPI_Recv 26
 * cycle: none */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *send_later(void *other)
{
    int x = 1;
    sleep(60);
    MPI_Send(&x, 1, MPI_INT, *(int *)other, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, y, provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank; pthread_create(&thread, NULL, send_later, &other);
    MPI_Recv(&y, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
