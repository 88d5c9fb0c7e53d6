/* expect-sources: remote-race A A */
/* expect-sources: remote-race A B */
/* A global counter is read and written back under shared locks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    MPI_Win win;
    long *value;
    int home;
    int kind;
} counter_t;

static counter_t *counter_create(MPI_Comm comm, int home, const char *mode)
{
    counter_t *c = malloc(sizeof *c);
    int rank;
    if (!c)
        return NULL;
    MPI_Comm_rank(comm, &rank);
    c->home = home;
    c->kind = strcmp(mode, "shared") == 0 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE;
    if (MPI_Win_allocate(rank == home ? (MPI_Aint)sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, comm, &c->value, &c->win)) {
        free(c);
        return NULL;
    }
    if (rank == home) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, c->win);
        *c->value = 0;
        MPI_Win_unlock(rank, c->win);
    }
    MPI_Barrier(comm);
    return c;
}

static long counter_next(counter_t *c, long step)
{
    long old, next;
    MPI_Win_lock(c->kind, c->home, 0, c->win);
    MPI_Get(&old, 1, MPI_LONG, c->home, 0, 1, MPI_LONG, c->win); /* B */
    MPI_Win_flush(c->home, c->win);
    next = old + step;
    MPI_Put(&next, 1, MPI_LONG, c->home, 0, 1, MPI_LONG, c->win); /* A */
    MPI_Win_unlock(c->home, c->win);
    return old;
}

static void counter_delete(counter_t **c)
{
    MPI_Win_free(&(*c)->win);
    free(*c);
    *c = NULL;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    counter_t *c = counter_create(MPI_COMM_WORLD, 0, "shared");
    if (c == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    long mine = 0;
    for (int i = 0; i < 5; i++)
        mine += counter_next(c, 2);
    printf("%d: %ld\n", rank, mine);
    counter_delete(&c);
    MPI_Finalize();
    return 0;
}
