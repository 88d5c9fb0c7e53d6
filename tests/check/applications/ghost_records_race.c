/* expect-sources: local-race A B */
/* expect-sources: local-race A C */
/* Cells are records sent with a struct type; the boundary's are advanced along with the interior while they are sent. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct cell {
    double density, momentum[2], energy;
    int material;
};

struct strip {
    int n;
    int left, right;
    struct cell *cells; /* n + 2, the first and last are ghosts */
    MPI_Datatype type;
    MPI_Request pending[4];
};

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static MPI_Datatype cell_type(void)
{
    int lengths[4] = {1, 2, 1, 1};
    MPI_Aint places[4] = {offsetof(struct cell, density), offsetof(struct cell, momentum), offsetof(struct cell, energy),
                          offsetof(struct cell, material)};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE, MPI_INT}, plain, result;
    MPI_Type_create_struct(4, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(struct cell), &result);
    MPI_Type_commit(&result);
    MPI_Type_free(&plain);
    return result;
}

static void strip_make(struct strip *s, int total)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s->n = total / size + (rank < total % size);
    if (s->n < 2)
        fail("too few cells");
    s->left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    s->right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    s->cells = calloc((size_t)s->n + 2, sizeof *s->cells);
    if (!s->cells)
        fail("no memory");
    for (int i = 1; i <= s->n; i++)
        s->cells[i].density = 1.0 + i % 3;
    s->type = cell_type();
}

static void strip_begin(struct strip *s)
{
    MPI_Irecv(&s->cells[0], 1, s->type, s->left, 1, MPI_COMM_WORLD, &s->pending[0]);
    MPI_Irecv(&s->cells[s->n + 1], 1, s->type, s->right, 2, MPI_COMM_WORLD, &s->pending[1]);
    MPI_Isend(&s->cells[s->n], 1, s->type, s->right, 1, MPI_COMM_WORLD, &s->pending[2]); /* A */
    MPI_Isend(&s->cells[1], 1, s->type, s->left, 2, MPI_COMM_WORLD, &s->pending[3]);
}

static void advance(struct cell *c, double dt)
{
    c->energy += dt * c->density; /* B */
    c->momentum[0] *= 1 - dt; /* C */
}

static void strip_step(struct strip *s, double dt)
{
    strip_begin(s);
    for (int i = 2; i <= s->n; i++)
        advance(&s->cells[i], dt);
    MPI_Waitall(4, s->pending, MPI_STATUSES_IGNORE);
    advance(&s->cells[1], dt);
}

int main(int argc, char **argv)
{
    struct strip s;
    int total = 64;
    double sum = 0;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        total = atoi(argv[1]);
    strip_make(&s, total);
    for (int step = 0; step < 5; step++)
        strip_step(&s, 0.01);
    for (int i = 1; i <= s.n; i++)
        sum += s.cells[i].energy;
    printf("%g\n", sum);
    MPI_Type_free(&s.type);
    free(s.cells);
    MPI_Finalize();
    return 0;
}
