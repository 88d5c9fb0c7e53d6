/* expect: local-race A B */
/* expect-sources: local-race A C */
/* Tickets are drawn from a counter in a window; the ticket is used before the flush. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct counter {
    MPI_Win win;
    long *value;
    int owner;
};

static struct counter *counter_create(MPI_Comm comm, int owner)
{
    int rank;
    struct counter *c = malloc(sizeof *c);
    if (!c)
        return NULL;
    c->owner = owner;
    MPI_Comm_rank(comm, &rank);
    MPI_Win_allocate(rank == owner ? sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, comm, &c->value, &c->win);
    if (rank == owner) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, c->win);
        *c->value = 0;
        MPI_Win_unlock(owner, c->win);
    }
    MPI_Barrier(comm);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, c->win);
    return c;
}

static void counter_next(struct counter *c, long *ticket)
{
    static const long one = 1;
    MPI_Fetch_and_op(&one, ticket, MPI_LONG, c->owner, 0, MPI_SUM, c->win); /* A */
}

static void counter_free(struct counter *c)
{
    MPI_Win_unlock_all(c->win);
    MPI_Win_free(&c->win);
    free(c);
}

static double task(long number)
{
    double x = 0;
    for (long i = 0; i < number; i++)
        x += 1.0 / (i + 1);
    return x;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct counter *c = counter_create(MPI_COMM_WORLD, 0);
    if (c == NULL) {
        fprintf(stderr, "no counter\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double result = 0;
    long ticket = 0;
    for (;;) {
        counter_next(c, &ticket);
        if (ticket >= 100) /* B */
            break;
        result += task(ticket); /* C */
        MPI_Win_flush(c->owner, c->win);
    }
    MPI_Win_flush_all(c->win);
    printf("%g\n", result);
    counter_free(c);
    MPI_Finalize();
    return 0;
}
