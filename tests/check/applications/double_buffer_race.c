/* expect-sources: local-race A B */
/* Blocks are received into two buffers by turns; the one that is still being filled is worked on. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 4096

struct stream {
    int source, tag, nblocks;
    float *buffer[2];
    MPI_Request request[2];
};

static int stream_open(struct stream *s, int source, int nblocks)
{
    s->source = source;
    s->tag = 11;
    s->nblocks = nblocks;
    for (int i = 0; i < 2; i++) {
        s->buffer[i] = malloc(BLOCK * sizeof(float));
        if (!s->buffer[i])
            return -1;
        s->request[i] = MPI_REQUEST_NULL;
    }
    return 0;
}

static void stream_post(struct stream *s, int which)
{
    MPI_Irecv(s->buffer[which], BLOCK, MPI_FLOAT, s->source, s->tag, MPI_COMM_WORLD, &s->request[which]); /* A */
}

static float work(const float *block)
{
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += block[i]; /* B */
    return sum;
}

static float consume(struct stream *s)
{
    float total = 0;
    stream_post(s, 0);
    for (int b = 0; b < s->nblocks; b++) {
        int current = b % 2, other = 1 - current;
        if (b + 1 < s->nblocks)
            stream_post(s, other);
        total += work(s->buffer[current]);
        MPI_Wait(&s->request[current], MPI_STATUS_IGNORE);
    }
    return total;
}

static void produce(int dest, int nblocks)
{
    static float block[BLOCK];
    for (int b = 0; b < nblocks; b++) {
        for (int i = 0; i < BLOCK; i++)
            block[i] = b + i;
        MPI_Send(block, BLOCK, MPI_FLOAT, dest, 11, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        produce(1, 32);
    } else if (rank == 1) {
        struct stream s;
        if (stream_open(&s, 0, 32) != 0) {
            fprintf(stderr, "no memory\n");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        printf("%f\n", consume(&s));
        free(s.buffer[0]);
        free(s.buffer[1]);
    }
    MPI_Finalize();
    return 0;
}
