/* ranks: 2 */
/* A second thread fills what the first one sends. It is taken for granted that it is done by then; nobody waits for it. */
#include "latent.h"

#include <pthread.h>
#include <unistd.h>

enum { PIECES = 10 };
static int piece[PIECES], filled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused)
{
    for (int i = 0; i < PIECES; i++) {
        pthread_mutex_lock(&mutex);
        filled++; /* for a display of progress */
        pthread_mutex_unlock(&mutex);
        piece[i] = i + 1;
    }
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, fill, NULL);
        REPAIR(pthread_join(thread, NULL));
        usleep(50000); /* other work */
        MPI_Send(piece, PIECES, MPI_INT, 1, 0, MPI_COMM_WORLD);
        BUG(pthread_join(thread, NULL));
    } else {
        MPI_Recv(piece, PIECES, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT(piece[0] == 1 && piece[PIECES - 1] == PIECES);
    }
    return end();
}
