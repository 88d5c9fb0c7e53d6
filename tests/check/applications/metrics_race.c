/* expect: local-race A B */
/* expect: local-race A C */
/* missed-at: -O2 A C the two sums are one vector there, in the line of the first */
/* Counters of a run are gathered in the background; counting goes on in the struct that is being gathered. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct metrics {
    long steps, cells;
    double seconds;
};

struct monitor {
    struct metrics now, copy;
    struct metrics *all;
    MPI_Request request;
    int rank, size, active;
};

static void monitor_init(struct monitor *m)
{
    memset(m, 0, sizeof *m);
    MPI_Comm_rank(MPI_COMM_WORLD, &m->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m->size);
    if (m->rank == 0 && !(m->all = malloc((size_t)m->size * sizeof *m->all)))
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void monitor_finish(struct monitor *m)
{
    if (!m->active)
        return;
    MPI_Wait(&m->request, MPI_STATUS_IGNORE);
    m->active = 0;
    if (m->rank == 0)
        for (int i = 0; i < m->size; i++)
            printf("%d: %ld steps\n", i, m->all[i].steps);
}

static void monitor_report(struct monitor *m)
{
    monitor_finish(m);
    m->copy = m->now;
    MPI_Igather(&m->now, sizeof m->now, MPI_BYTE, m->all, sizeof m->now, MPI_BYTE, 0, MPI_COMM_WORLD, &m->request); /* A */
    m->active = 1;
}

static double iterate(double *u, int n, struct monitor *m)
{
    double residual = 0;
    for (int i = 1; i < n - 1; i++) {
        double next = 0.5 * (u[i - 1] + u[i + 1]);
        residual += (next - u[i]) * (next - u[i]);
        u[i] = next;
    }
    m->now.steps++; /* B */
    m->now.cells += n; /* C */
    return residual;
}

int main(int argc, char **argv)
{
    struct monitor m;
    double u[64];
    int steps = argc > 1 ? atoi(argv[1]) : 40, every = 10;
    MPI_Init(&argc, &argv);
    monitor_init(&m);
    for (int i = 0; i < 64; i++)
        u[i] = i == 0 ? m.rank + 1 : 0;
    for (int s = 0; s < steps; s++) {
        if (iterate(u, 64, &m) < 1e-12)
            break;
        if (s % every == 0)
            monitor_report(&m);
    }
    monitor_finish(&m);
    free(m.all);
    MPI_Finalize();
    return 0;
}
