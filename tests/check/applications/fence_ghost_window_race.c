/* expect: remote-race A B */
/* missed-at: -O1 where it cannot be executed */
/* Ghost cells are put into the neighbours' windows between fences; a fence too few in front of the computation. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, rank, size;
    double *u, *v;
    MPI_Win win;
} Field;

static Field *field_new(int n)
{
    Field *f = malloc(sizeof *f);
    if (!f)
        return NULL;
    f->n = n;
    MPI_Comm_rank(MPI_COMM_WORLD, &f->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &f->size);
    f->v = calloc((size_t)n + 2, sizeof(double));
    MPI_Win_allocate((n + 2) * (MPI_Aint)sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f->u, &f->win);
    for (int i = 0; i < n + 2; i++)
        f->u[i] = f->rank;
    return f;
}

static void field_put_ghosts(Field *f)
{
    if (f->rank > 0)
        MPI_Put(&f->u[1], 1, MPI_DOUBLE, f->rank - 1, f->n + 1, 1, MPI_DOUBLE, f->win);
    if (f->rank < f->size - 1)
        MPI_Put(&f->u[f->n], 1, MPI_DOUBLE, f->rank + 1, 0, 1, MPI_DOUBLE, f->win); /* A */
}

static void field_smooth(Field *f)
{
    f->v[1] = 0.5 * f->u[0] + 0.5 * f->u[1]; /* B */
    for (int i = 2; i < f->n; i++)
        f->v[i] = 0.25 * f->u[i - 1] + 0.5 * f->u[i] + 0.25 * f->u[i + 1];
}

static void field_copy_back(Field *f)
{
    for (int i = 2; i < f->n; i++)
        f->u[i] = f->v[i];
}

static void field_step(Field *f)
{
    MPI_Win_fence(0, f->win);
    field_put_ghosts(f);
    field_smooth(f);
    MPI_Win_fence(0, f->win);
    field_copy_back(f);
}

static void field_delete(Field *f)
{
    MPI_Win_free(&f->win);
    free(f->v);
    free(f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 32;
    Field *f = field_new(n);
    if (!f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 4; i++)
        field_step(f);
    if (f->rank == 0)
        printf("%g\n", f->v[1]);
    field_delete(f);
    MPI_Finalize();
    return 0;
}
