/* expect: none */
/* Two time levels change places at the end of each step; the border that is still on its way out is overwritten by the step after. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, steps;
    double *old, *new;
} Levels;

typedef struct {
    int left, right;
    MPI_Request sends[2];
} Halo;

static void levels_init(Levels *l, int n, int steps)
{
    l->n = n;
    l->steps = steps;
    l->old = malloc((size_t)(n + 2) * sizeof(double));
    l->new = malloc((size_t)(n + 2) * sizeof(double));
    if (l->old == NULL || l->new == NULL) {
        perror("levels");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < n + 2; i++)
        l->old[i] = l->new[i] = sin(0.1 * i);
}

static void levels_swap(Levels *l)
{
    double *t = l->old;
    l->old = l->new;
    l->new = t;
}

static void send_borders(const Levels *l, Halo *h)
{
    MPI_Isend(&l->old[1], 1, MPI_DOUBLE, h->left, 0, MPI_COMM_WORLD, &h->sends[0]);
    MPI_Isend(&l->old[l->n], 1, MPI_DOUBLE, h->right, 1, MPI_COMM_WORLD, &h->sends[1]);
}

static void receive_borders(Levels *l, const Halo *h)
{
    MPI_Recv(&l->old[l->n + 1], 1, MPI_DOUBLE, h->right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&l->old[0], 1, MPI_DOUBLE, h->left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void compute(Levels *l)
{
    l->new[1] = 0.5 * (l->old[0] + l->old[2]);
    for (int i = 2; i < l->n; i++)
        l->new[i] = 0.5 * (l->old[i - 1] + l->old[i + 1]);
}

static void run(Levels *l, Halo *h)
{
    MPI_Request last = MPI_REQUEST_NULL;
    for (int step = 0; step < l->steps; step++) {
        send_borders(l, h);
        receive_borders(l, h);
        MPI_Wait(&last, MPI_STATUS_IGNORE);
        compute(l);
        MPI_Wait(&h->sends[1], MPI_STATUS_IGNORE);
        last = h->sends[0];
        levels_swap(l);
    }
    MPI_Wait(&last, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    Levels l;
    Halo h;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    h.left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    h.right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    levels_init(&l, 16, 6);
    run(&l, &h);
    free(l.old);
    free(l.new);
    MPI_Finalize();
    return 0;
}
