/* expect-sources: local-race A B */
/* expect-sources: local-race A C */
/* Updates are collected per destination and sent when a buffer is full; it is filled on while it is being sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FULL = 8, DATA = 1, END = 2 };

struct update {
    long key, delta;
};

struct bin {
    struct update *updates;
    int count;
    MPI_Request request;
};

struct table {
    struct bin *bins;
    long *local;
    int rank, size, ended;
    long slots;
};

static void receive_some(struct table *t)
{
    int ready;
    MPI_Status status;
    for (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &ready, &status); ready;
         MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &ready, &status)) {
        struct update in[FULL];
        int bytes;
        MPI_Recv(in, sizeof in, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        for (int i = 0; i < bytes / (int)sizeof *in; i++)
            t->local[in[i].key % t->slots] += in[i].delta;
        if (status.MPI_TAG == END)
            t->ended++;
    }
}

static void flush_bin(struct table *t, int to, int tag)
{
    struct bin *b = &t->bins[to];
    MPI_Isend(b->updates, b->count * (int)sizeof(struct update), MPI_BYTE, to, tag, MPI_COMM_WORLD, &b->request); /* A */
    b->count = 0;
}

static void settle_bin(struct table *t, int to)
{
    int done = 0;
    for (;;) {
        MPI_Test(&t->bins[to].request, &done, MPI_STATUS_IGNORE);
        if (done)
            break;
        receive_some(t);
    }
}

static void put(struct table *t, long key, long delta)
{
    int to = (int)(key / t->slots);
    struct bin *b = &t->bins[to];
    b->updates[b->count].key = key; /* B */
    b->updates[b->count].delta = delta; /* C */
    if (++b->count == FULL) {
        settle_bin(t, to);
        flush_bin(t, to, DATA);
    }
}

static void table_make(struct table *t, long slots)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->size);
    t->slots = slots;
    t->ended = 0;
    t->local = calloc((size_t)slots, sizeof(long));
    t->bins = calloc((size_t)t->size, sizeof(struct bin));
    if (!t->local || !t->bins)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < t->size; i++) {
        t->bins[i].request = MPI_REQUEST_NULL;
        t->bins[i].updates = malloc(FULL * sizeof(struct update));
        if (!t->bins[i].updates)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void table_end(struct table *t)
{
    for (int i = 0; i < t->size; i++) {
        settle_bin(t, i);
        flush_bin(t, i, END);
    }
    while (t->ended < t->size)
        receive_some(t);
    for (int i = 0; i < t->size; i++)
        settle_bin(t, i);
}

int main(int argc, char **argv)
{
    struct table t;
    unsigned long state;
    MPI_Init(&argc, &argv);
    table_make(&t, 32);
    state = (unsigned long)t.rank + 1;
    for (int i = 0; i < 100; i++) {
        state = state * 6364136223846793005UL + 1442695040888963407UL;
        put(&t, (long)((state >> 33) % (unsigned long)(t.slots * t.size)), 1);
    }
    table_end(&t);
    printf("%d: %ld\n", t.rank, t.local[0]);
    for (int i = 0; i < t.size; i++)
        free(t.bins[i].updates);
    free(t.bins);
    free(t.local);
    MPI_Finalize();
    return 0;
}
