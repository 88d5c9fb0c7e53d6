/* expect: none */
/* Outgoing messages in a list; a message goes back to the list of free ones, and gets its next contents, before it was sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
    struct message *next;
    MPI_Request request;
    int length;
    int payload[30];
};

struct outbox {
    struct message *busy, *idle;
    int allocated;
};

static struct message *take(struct outbox *o)
{
    struct message *m = o->idle;
    if (m) {
        o->idle = m->next;
    } else {
        m = malloc(sizeof *m);
        if (!m)
            MPI_Abort(MPI_COMM_WORLD, 1);
        o->allocated++;
    }
    m->next = NULL;
    m->length = 0;
    return m;
}

static void give_back(struct outbox *o, struct message *m)
{
    m->next = o->idle;
    o->idle = m;
}

static void add(struct message *m, int number)
{
    m->payload[m->length++] = number;
}

static void post(struct outbox *o, struct message *m, int to)
{
    MPI_Isend(m->payload, m->length, MPI_INT, to, 8, MPI_COMM_WORLD, &m->request);
    m->next = o->busy;
    o->busy = m;
}

static void clean(struct outbox *o)
{
    struct message *left = NULL;
    while (o->busy) {
        struct message *m = o->busy;
        int done = 0;
        o->busy = m->next;
        MPI_Test(&m->request, &done, MPI_STATUS_IGNORE);
        if (done) {
            give_back(o, m);
        } else {
            m->next = left;
            left = m;
        }
    }
    o->busy = left;
}

int main(int argc, char **argv)
{
    int rank, size, in[30];
    struct outbox o = {NULL, NULL, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 3; round++) {
        struct message *m = take(&o);
        for (int i = 0; i < 10 + round; i++)
            add(m, i);
        post(&o, m, (rank + 1) % size);
        MPI_Recv(in, 30, MPI_INT, (rank + size - 1) % size, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        clean(&o);
    }
    for (struct message *m = o.busy; m; m = m->next)
        MPI_Wait(&m->request, MPI_STATUS_IGNORE);
    printf("%d messages\n", o.allocated);
    MPI_Finalize();
    return 0;
}
