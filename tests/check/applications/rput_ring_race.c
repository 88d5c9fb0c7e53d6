/* expect-sources: local-race A B */
/* Samples stream into a window by MPI_Rput from a ring of buffers; a buffer is filled before its request is waited for. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DEPTH 3
#define SAMPLE 20

struct stream {
    MPI_Win win;
    double *base;
    double ring[DEPTH][SAMPLE];
    MPI_Request busy[DEPTH];
    int head, target;
};

static void stream_open(struct stream *s, int samples)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate((MPI_Aint)samples * SAMPLE * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &s->base, &s->win);
    for (int i = 0; i < DEPTH; i++)
        s->busy[i] = MPI_REQUEST_NULL;
    s->head = 0;
    s->target = (rank + 1) % size;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, s->win);
}

static double *stream_slot(struct stream *s)
{
    return s->ring[s->head];
}

static void stream_push(struct stream *s, int number)
{
    MPI_Wait(&s->busy[s->head], MPI_STATUS_IGNORE);
    MPI_Rput(s->ring[s->head], SAMPLE, MPI_DOUBLE, s->target, (MPI_Aint)number * SAMPLE, SAMPLE, MPI_DOUBLE, s->win, /* A */
             &s->busy[s->head]);
    s->head = (s->head + 1) % DEPTH;
}

static void stream_close(struct stream *s)
{
    MPI_Waitall(DEPTH, s->busy, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(s->win);
    MPI_Win_free(&s->win);
}

static void sample(double *into, int t)
{
    for (int i = 0; i < SAMPLE; i++)
        into[i] = t * 0.1 + i; /* B */
}

int main(int argc, char **argv)
{
    struct stream s;
    int samples = 10;
    MPI_Init(&argc, &argv);
    if (argc > 1 && (samples = atoi(argv[1])) < 1) {
        fprintf(stderr, "usage: %s [samples]\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    stream_open(&s, samples);
    for (int t = 0; t < samples; t++) {
        sample(stream_slot(&s), t);
        stream_push(&s, t);
    }
    stream_close(&s);
    MPI_Finalize();
    return 0;
}
