/* expect: none */
/* A cache of blocks fetched from other processes by MPI_Rget, with a look ahead; the block that was only asked for is used. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 16, BLOCKS = 4, LINES = 2 };

struct line {
    long block;
    double values[BLOCK];
    MPI_Request request;
};

struct cache {
    MPI_Win win;
    struct line lines[LINES];
    long hits, misses;
};

static void cache_open(struct cache *c, MPI_Win win)
{
    c->win = win;
    c->hits = c->misses = 0;
    for (int i = 0; i < LINES; i++) {
        c->lines[i].block = -1;
        c->lines[i].request = MPI_REQUEST_NULL;
    }
}

static struct line *cache_ask(struct cache *c, long block)
{
    struct line *line = &c->lines[block % LINES];
    if (line->block == block) {
        c->hits++;
        return line;
    }
    c->misses++;
    MPI_Wait(&line->request, MPI_STATUS_IGNORE);
    line->block = block;
    MPI_Rget(line->values, BLOCK, MPI_DOUBLE, (int)(block / BLOCKS), block % BLOCKS * BLOCK, BLOCK, MPI_DOUBLE, c->win, &line->request);
    return line;
}

static double cache_sum(struct cache *c, long block, long blocks)
{
    struct line *line = cache_ask(c, block);
    double sum = 0;
    MPI_Wait(&line->request, MPI_STATUS_IGNORE);
    if (block + 1 < blocks)
        cache_ask(c, block + 1);
    for (int i = 0; i < BLOCK; i++)
        sum += line->values[i];
    return sum;
}

static void cache_close(struct cache *c)
{
    for (int i = 0; i < LINES; i++)
        MPI_Wait(&c->lines[i].request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    double *mine, sum = 0;
    struct cache c;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(BLOCKS * BLOCK * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    for (int i = 0; i < BLOCKS * BLOCK; i++)
        mine[i] = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    cache_open(&c, win);
    for (long block = 0; block < (long)BLOCKS * size; block++)
        sum += cache_sum(&c, block, (long)BLOCKS * size);
    cache_close(&c);
    MPI_Win_unlock_all(win);
    printf("%d: %g, %ld hits\n", rank, sum, c.hits);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
