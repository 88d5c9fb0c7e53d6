/* expect-sources: local-race A B */
/* Persistent requests are made once for all variables of a solver; a variable is updated while its send is active. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { VARIABLES = 3 };

struct variable {
    const char *name;
    double *values;
    double *ghost;
};

struct solver {
    int n, left, right, count;
    struct variable vars[VARIABLES];
    MPI_Request requests[2 * VARIABLES];
};

static const char *names[VARIABLES] = {"density", "velocity", "energy"};

static int solver_init(struct solver *s, int n)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s->n = n;
    s->count = 0;
    s->left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    s->right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int v = 0; v < VARIABLES; v++) {
        struct variable *var = &s->vars[v];
        var->name = names[v];
        if (!(var->values = calloc((size_t)n, sizeof(double))) || !(var->ghost = calloc(1, sizeof(double))))
            return -1;
        MPI_Recv_init(var->ghost, 1, MPI_DOUBLE, s->left, v, MPI_COMM_WORLD, &s->requests[s->count++]);
        MPI_Send_init(&var->values[n - 1], 1, MPI_DOUBLE, s->right, v, MPI_COMM_WORLD, &s->requests[s->count++]);
    }
    return 0;
}

static void update(struct variable *var, int from, int to, double dt)
{
    for (int i = from; i < to; i++)
        var->values[i] += dt * i; /* B */
}

static void solver_step(struct solver *s, double dt)
{
    MPI_Startall(s->count, s->requests); /* A */
    for (int v = 0; v < VARIABLES; v++)
        update(&s->vars[v], 1, s->n, dt);
    MPI_Waitall(s->count, s->requests, MPI_STATUSES_IGNORE);
    for (int v = 0; v < VARIABLES; v++)
        s->vars[v].values[0] += *s->vars[v].ghost;
}

static void solver_free(struct solver *s)
{
    for (int i = 0; i < s->count; i++)
        MPI_Request_free(&s->requests[i]);
    for (int v = 0; v < VARIABLES; v++) {
        free(s->vars[v].values);
        free(s->vars[v].ghost);
    }
}

int main(int argc, char **argv)
{
    struct solver s;
    MPI_Init(&argc, &argv);
    if (solver_init(&s, 20) != 0) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 5; i++)
        solver_step(&s, 0.01);
    solver_free(&s);
    MPI_Finalize();
    return 0;
}
