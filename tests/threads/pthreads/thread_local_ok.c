/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §5 between threads: thread-local variables.
 * 
 * A thread sends from a variable of its own and ends; the next thread has its variable of that name at the same address.
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "../turns.h"

enum { BYTES = 4000 };
static __thread char buffer[BYTES];
static char *handed_on;
static sem_t done;

static void *send(void *unused)
{
    MPI_Request request;
    MPI_Isend(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    handed_on = buffer;
    sem_post(&done);
    give_turn(1);
    return unused;
}

static void *receive(void *unused)
{
    handed_on = buffer;
    MPI_Recv(handed_on, BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    give_turn(2);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sem_init(&done, 0, 0);
    if (rank == 0) {
        pthread_t first, second;
        pthread_create(&first, NULL, send, NULL);
        pthread_detach(first); /* its stack, with its variables, is the next thread's */
        await_turn(1);
        usleep(200000);
        pthread_create(&second, NULL, receive, NULL);
        pthread_join(second, NULL);
        sem_wait(&done);
    } else {
        MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(buffer, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
