/* expect: none */
/* A struct of counters is reduced in the background and counted on meanwhile. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statistics {
    long hits, misses, bytes;
};

struct monitor {
    struct statistics mine, all;
    MPI_Request request;
    int active;
};

static void monitor_start(struct monitor *m)
{
    MPI_Ireduce(&m->mine, &m->all, 3, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD, &m->request);
    m->active = 1;
}

static void monitor_finish(struct monitor *m, int rank)
{
    if (!m->active)
        return;
    MPI_Wait(&m->request, MPI_STATUS_IGNORE);
    m->active = 0;
    if (rank == 0)
        printf("hits %ld misses %ld\n", m->all.hits, m->all.misses);
}

static void lookup(struct monitor *m, int key)
{
    if (key % 3)
        m->mine.hits++;
    else
        m->mine.bytes = m->active ? m->mine.bytes : 0;
}

int main(int argc, char **argv)
{
    int rank;
    struct monitor m;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(&m, 0, sizeof m);
    for (int i = 0; i < 100; i++)
        lookup(&m, i);
    monitor_start(&m);
    monitor_finish(&m, rank);
    lookup(&m, 7);
    MPI_Finalize();
    return 0;
}
