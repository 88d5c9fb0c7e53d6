/* expect-sources: remote-race A B */
/* Post, start, complete and wait in functions of their own; the target reads before the wait. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct edge {
    MPI_Win win;
    MPI_Group to, from;
    double *ghost;
};

static void edge_open(struct edge *e, int rank, int size)
{
    MPI_Group world;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &next, &e->to);
    MPI_Group_incl(world, 1, &previous, &e->from);
    MPI_Group_free(&world);
    e->ghost = calloc(8, sizeof(double));
    if (!e->ghost)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(e->ghost, 8 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &e->win);
}

static void send_edge(struct edge *e, const double *values, int next)
{
    MPI_Win_start(e->to, 0, e->win);
    MPI_Put(values, 8, MPI_DOUBLE, next, 0, 8, MPI_DOUBLE, e->win); /* A */
    MPI_Win_complete(e->win);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct edge e;
    double values[8] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    edge_open(&e, rank, size);
    MPI_Win_post(e.from, 0, e.win);
    send_edge(&e, values, (rank + 1) % size);
    for (int i = 0; i < 8; i++)
        sum += e.ghost[i]; /* B */
    MPI_Win_wait(e.win);
    printf("%g\n", sum);
    MPI_Win_free(&e.win);
    MPI_Finalize();
    return 0;
}
