/* expect-sources: local-race A B */
/* Requests live in pools; the pool of the receives is drained, then the send buffer is cleared. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL_MAX 64

typedef struct {
    MPI_Request list[POOL_MAX];
    int used;
} pool_t;

static MPI_Request *pool_next(pool_t *pool)
{
    if (pool->used == POOL_MAX) {
        fprintf(stderr, "pool is full\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return &pool->list[pool->used++];
}

static void pool_drain(pool_t *pool)
{
    if (pool->used > 0)
        MPI_Waitall(pool->used, pool->list, MPI_STATUSES_IGNORE);
    pool->used = 0;
}

typedef struct {
    pool_t sends, receives;
    int rank, size, length;
    long *out, *in;
} shuffle_t;

static void shuffle_init(shuffle_t *s, int length)
{
    s->sends.used = s->receives.used = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->size);
    s->length = length;
    s->out = malloc((size_t)(length * s->size) * sizeof(long));
    s->in = malloc((size_t)(length * s->size) * sizeof(long));
    if (!s->out || !s->in)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void shuffle_start(shuffle_t *s)
{
    for (int peer = 0; peer < s->size; peer++)
        if (peer != s->rank)
            MPI_Irecv(s->in + peer * s->length, s->length, MPI_LONG, peer, 3, MPI_COMM_WORLD, pool_next(&s->receives));
    for (int peer = 0; peer < s->size; peer++)
        if (peer != s->rank)
            MPI_Isend(s->out + peer * s->length, s->length, MPI_LONG, peer, 3, MPI_COMM_WORLD, pool_next(&s->sends)); /* A */
}

static long shuffle_finish(shuffle_t *s)
{
    long sum = 0;
    pool_drain(&s->receives);
    for (int i = 0; i < s->size * s->length; i++)
        if (i / s->length != s->rank)
            sum += s->in[i];
    memset(s->out, 0, (size_t)(s->length * s->size) * sizeof(long)); /* B */
    pool_drain(&s->sends);
    return sum;
}

int main(int argc, char **argv)
{
    shuffle_t s;
    long sum = 0;
    MPI_Init(&argc, &argv);
    shuffle_init(&s, 16);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < s.size * s.length; i++)
            s.out[i] = round + i;
        shuffle_start(&s);
        sum += shuffle_finish(&s);
    }
    printf("%d: %ld\n", s.rank, sum);
    free(s.in);
    free(s.out);
    MPI_Finalize();
    return 0;
}
