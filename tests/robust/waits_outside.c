/* usage: waits_outside wait|once
 * A target that waits outside MPI, in shared memory, for something that the origin does when its
 * update is complete there, at the origin. An MPI may complete it so (Open MPI's osc/pt2pt does,
 * with a request): then it must be complete under Regatta, too. With `wait` it is an
 * MPI_Raccumulate with MPI_Wait, else an MPI_Accumulate, for which nobody waits outside. With
 * FLUSHES the program imports MPI_Win_flush_local. Prints the sum, and whether the update came to
 * MPI as one that fetches (below.c). */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern int below_fetched; /* updates that were handed to MPI as ones that fetch */

#ifdef FLUSHES
#define FLUSH_LOCAL(win) MPI_Win_flush_local(1, win)
#else
#define FLUSH_LOCAL(win) (void)(win)
#endif

int main(int argc, char **argv)
{
    int rank, unit;
    long *memory = calloc(1, sizeof *memory), one = 1, sum = 0;
    atomic_int *flag;
    MPI_Aint size;
    MPI_Win win, flags;
    MPI_Request request;
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? sizeof *flag : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &flag,
                            &flags);
    MPI_Win_shared_query(flags, 0, &size, &unit, &flag);
    if (rank == 0)
        atomic_store(flag, 0);
    MPI_Win_create(memory, sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) { /* the lock may be granted only now, and by a target that calls MPI */
        MPI_Fetch_and_op(NULL, &sum, MPI_LONG, 1, 0, MPI_NO_OP, win);
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        if (strcmp(how, "wait") == 0) {
            MPI_Raccumulate(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Accumulate(&one, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win);
            FLUSH_LOCAL(win);
        }
        atomic_store(flag, 1);
    } else if (strcmp(how, "wait") == 0) {
        while (!atomic_load(flag))
            usleep(1000);
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("fetched %d\n", below_fetched);
    if (rank == 1) {
        MPI_Fetch_and_op(NULL, &sum, MPI_LONG, 1, 0, MPI_NO_OP, win);
        MPI_Win_flush(1, win);
        printf("sum %ld\n", sum);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Win_free(&flags);
    free(memory);
    MPI_Finalize();
    return 0;
}
