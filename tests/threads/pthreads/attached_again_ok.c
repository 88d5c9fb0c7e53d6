/* ranks: 2 */
/* needs: cc */
/* expect: none */
/*
 * semantics §8, threads: memory of the heap that is freed by one thread and got by another begins anew.
 * 
 * The worker attaches a block, stores to it, detaches and frees it; the main thread gets the same block and attaches it again.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "../turns.h"

enum { BYTES = 40000 };
static char *handed_on;
static void (*library_free)(void *); /* past the checks, as a library without them does it */
static MPI_Win window;

static void *store(void *unused)
{
    char *block = malloc(BYTES);
    MPI_Win_attach(window, block, BYTES);
    for (int i = 0; i < BYTES; i += 3)
        block[i] = 1;
    MPI_Win_detach(window, block);
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
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, store, NULL);
        await_turn(1);
        handed_on = malloc(BYTES);
        MPI_Win_attach(window, handed_on, BYTES);
        handed_on[999] = 2;
        pthread_join(thread, NULL);
        MPI_Win_detach(window, handed_on);
        free(handed_on);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
