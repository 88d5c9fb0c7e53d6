/* expect: thread-finalize 28 17 */
/* flags: -pthread */
/* ranks: 2 */
/* Another thread calls MPI after MPI_Finalize. MPI ends the process then; the finding is there. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static volatile int finalized;

static void *late(void *unused)
{
    int number = 0;

    while (!finalized)
        usleep(100);
    MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&thread, NULL, late, NULL);
    MPI_Finalize();
    finalized = 1;
    pthread_join(thread, NULL);
    return 0;
}
