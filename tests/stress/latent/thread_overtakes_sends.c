/* ranks: 2 */
/* A second thread prepares the next step in the memory that the first one still sends from; usually the sends are over by then. */
#include "latent.h"

#include <pthread.h>
#include <unistd.h>

enum { STEPS = 10 };
static int state[STEPS];

static void *next_step(void *unused)
{
    usleep(50000); /* other work */
    for (int i = 0; i < STEPS; i++)
        state[i] = 100;
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        for (int i = 0; i < STEPS; i++)
            state[i] = i;
        BUG(pthread_create(&thread, NULL, next_step, NULL));
        for (int i = 0; i < STEPS; i++)
            MPI_Send(&state[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        REPAIR(pthread_create(&thread, NULL, next_step, NULL));
        pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < STEPS; i++) {
            MPI_Recv(&state[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            EXPECT(state[i] == i);
        }
    }
    return end();
}
