/* expect-sources: remote-race A B */
/* A producer writes a record and then raises a flag; the flag overtakes the record. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORD = 32 };

struct channel {
    MPI_Win data, flags;
    double *record;
    int *flag, rank;
};

static void channel_open(struct channel *c)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &c->rank);
    MPI_Win_allocate(RECORD * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &c->record, &c->data);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &c->flag, &c->flags);
    *c->flag = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, c->data);
    MPI_Win_lock_all(0, c->flags);
}

static void raise_flag(struct channel *c, int at)
{
    const int one = 1;
    MPI_Accumulate(&one, 1, MPI_INT, at, 0, 1, MPI_INT, MPI_REPLACE, c->flags);
    MPI_Win_flush(at, c->flags);
}

static void wait_for_flag(struct channel *c)
{
    int seen = 0, nothing = 0;
    do {
        MPI_Fetch_and_op(&nothing, &seen, MPI_INT, c->rank, 0, MPI_NO_OP, c->flags);
        MPI_Win_flush(c->rank, c->flags);
    } while (seen == 0);
    MPI_Win_sync(c->data);
}

static void produce(struct channel *c, int consumer)
{
    double values[RECORD];
    for (int i = 0; i < RECORD; i++)
        values[i] = i * 0.5;
    MPI_Put(values, RECORD, MPI_DOUBLE, consumer, 0, RECORD, MPI_DOUBLE, c->data); /* A */
    MPI_Win_flush_local(consumer, c->data);
    raise_flag(c, consumer);
}

static double consume(struct channel *c)
{
    double sum = 0;
    wait_for_flag(c);
    for (int i = 0; i < RECORD; i++)
        sum += c->record[i]; /* B */
    return sum;
}

int main(int argc, char **argv)
{
    struct channel c;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    channel_open(&c);
    if (c.rank == 0)
        produce(&c, 1);
    else if (c.rank == 1)
        printf("%g\n", consume(&c));
    MPI_Win_unlock_all(c.flags);
    MPI_Win_unlock_all(c.data);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&c.flags);
    MPI_Win_free(&c.data);
    MPI_Finalize();
    return 0;
}
