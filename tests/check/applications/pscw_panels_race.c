/* expect-sources: remote-race A B */
/* Panels are put to the right neighbour between start and complete; the neighbour sums its panel before MPI_Win_wait. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double *panel;
    int length;
    MPI_Win win;
    MPI_Group sources, targets;
    int right;
} panel_win;

static MPI_Group group_of(int rank)
{
    MPI_Group world, one;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &rank, &one);
    MPI_Group_free(&world);
    return one;
}

static int panel_open(panel_win *p, int length)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        return -1;
    p->length = length;
    p->right = (rank + 1) % size;
    p->sources = group_of((rank + size - 1) % size);
    p->targets = group_of(p->right);
    if (MPI_Alloc_mem((MPI_Aint)((size_t)length * sizeof(double)), MPI_INFO_NULL, &p->panel) != MPI_SUCCESS)
        return -1;
    for (int i = 0; i < length; i++)
        p->panel[i] = 0;
    return MPI_Win_create(p->panel, (MPI_Aint)((size_t)length * sizeof(double)), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD,
                          &p->win) == MPI_SUCCESS
               ? 0
               : -1;
}

static double panel_sum(const panel_win *p)
{
    double sum = 0;
    for (int i = 0; i < p->length; i++)
        sum += p->panel[i]; /* B */
    return sum;
}

static double panel_pass(panel_win *p, const double *values)
{
    double sum;
    MPI_Win_post(p->sources, 0, p->win);
    MPI_Win_start(p->targets, 0, p->win);
    MPI_Put(values, p->length, MPI_DOUBLE, p->right, 0, p->length, MPI_DOUBLE, p->win); /* A */
    MPI_Win_complete(p->win);
    sum = panel_sum(p);
    MPI_Win_wait(p->win);
    return sum;
}

static void panel_close(panel_win *p)
{
    MPI_Win_free(&p->win);
    MPI_Free_mem(p->panel);
    MPI_Group_free(&p->sources);
    MPI_Group_free(&p->targets);
}

int main(int argc, char **argv)
{
    panel_win p;
    double values[50], sum = 1;
    MPI_Init(&argc, &argv);
    if (panel_open(&p, 50) != 0) {
        fprintf(stderr, "needs two processes and memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 50; i++)
            values[i] = sum / (i + 1);
        sum = panel_pass(&p, values);
    }
    printf("%g\n", sum);
    panel_close(&p);
    MPI_Finalize();
    return 0;
}
