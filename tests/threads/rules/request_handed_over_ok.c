/* ranks: 2 */
/* needs: cc */
/* flags: -pthread */
/* expect: none */
/*
 * semantics §7: one request in calls of two threads, MPI-4.0 §11.6.2.
 *
 * One thread starts a receive, tests it, and hands it to the other one under a mutex, which waits
 * for it. Values of handles come again in the next round, in other variables.
 */
#include <mpi.h>
#include <pthread.h>

#include "../turns.h"

enum { ROUNDS = 6 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static MPI_Request place;
static int is_full;

static void hand_over(MPI_Request request)
{
    pthread_mutex_lock(&mutex);
    while (is_full)
        pthread_cond_wait(&changed, &mutex);
    place = request;
    is_full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void *other(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        while (!is_full)
            pthread_cond_wait(&changed, &mutex);
        MPI_Request taken = place;
        is_full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
        MPI_Wait(&taken, MPI_STATUS_IGNORE); /* B */
    }
    return unused;
}

int main(int argc, char **argv)
{
    int provided, boxes[ROUNDS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request request;
        int flag = 0, letter = i;
        MPI_Irecv(&boxes[i], 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* A */
        nap();
        MPI_Send(&letter, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        hand_over(request);
    }
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
