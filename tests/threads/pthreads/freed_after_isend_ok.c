/* ranks: 2 */
/* needs: run */
/* expect: none */
/*
 * semantics §8, threads: memory of the heap that is freed by one thread and got by another begins anew.
 * 
 * The worker sends a block and frees it when the send is complete; the main thread receives into the same block, which it got anew.
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

static void *send(void *unused)
{
    MPI_Request request;
    char *block = malloc(BYTES);
    MPI_Isend(block, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    library_free(block);
    give_turn(1);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    mallopt(M_ARENA_MAX, 1); /* all threads get memory from the same heap */
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    library_free = (void (*)(void *))dlsym(RTLD_DEFAULT, "free");
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, send, NULL);
        await_turn(1);
        handed_on = malloc(BYTES);
        MPI_Recv(handed_on, BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        free(handed_on);
    } else {
        MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(buffer, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
