/* ranks: 2 */
/* needs: cc */
/* expect: thread-race A B */
/*
 * semantics §5 between threads: memory from the heap.
 * 
 * The worker stores to a block that the main thread sends; nothing orders the two.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "../turns.h"

enum { BYTES = 40000 };
static char buffer[BYTES];
static char *handed_on;
static void (*library_free)(void *); /* past the checks, as a library without them does it */

static void *store(void *unused)
{
    char *block = malloc(BYTES);
    for (int i = 0; i < BYTES; i += 3)
        block[i] = 1; /* B */
    handed_on = block;
    give_turn(1);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    mallopt(M_ARENA_MAX, 1); /* all threads get memory from the same heap */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    library_free = (void (*)(void *))dlsym(RTLD_DEFAULT, "free");
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, store, NULL);
        await_turn(1);
        MPI_Send(handed_on, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD); /* A */
        pthread_join(thread, NULL);
        free(handed_on);
    } else {
        MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
