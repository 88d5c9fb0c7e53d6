/* expect: local-race A B */
/* The next time step is agreed upon while the forces are computed, and used before it is known. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                      \
    do {                                                                 \
        int code_ = (call);                                              \
        if (code_ != MPI_SUCCESS) {                                      \
            char text_[MPI_MAX_ERROR_STRING];                            \
            int length_;                                                 \
            MPI_Error_string(code_, text_, &length_);                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text_); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                \
        }                                                                \
    } while (0)

typedef struct {
    int n;
    double *x, *v, *f;
} Bodies;

typedef struct {
    double time, end, dt, limit;
    MPI_Request request;
} Clock;

static void bodies_init(Bodies *b, int n, int rank)
{
    b->n = n;
    b->x = malloc(sizeof(double) * (size_t)n);
    b->v = calloc((size_t)n, sizeof(double));
    b->f = calloc((size_t)n, sizeof(double));
    if (!b->x || !b->v || !b->f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        b->x[i] = rank + i * 0.25;
}

static double limit_of(const Bodies *b)
{
    double fastest = 0;
    for (int i = 0; i < b->n; i++)
        fastest = fmax(fastest, fabs(b->v[i]));
    return 0.1 / (1.0 + fastest);
}

static void forces(Bodies *b)
{
    for (int i = 0; i < b->n; i++)
        b->f[i] = -b->x[i] + 0.01 * cos(b->x[i]);
}

static void agree(Clock *c, const Bodies *b)
{
    c->limit = limit_of(b);
    CHECK(MPI_Iallreduce(&c->limit, &c->dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &c->request)); /* A */
}

static void move(Bodies *b, Clock *c)
{
    double dt = c->dt; /* B */
    CHECK(MPI_Wait(&c->request, MPI_STATUS_IGNORE));
    for (int i = 0; i < b->n; i++) {
        b->v[i] += dt * b->f[i];
        b->x[i] += dt * b->v[i];
    }
    c->time += dt;
}

int main(int argc, char **argv)
{
    int rank;
    Bodies b;
    Clock c = {0, 1.0, 0.05, 0, MPI_REQUEST_NULL};
    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    if (argc == 2)
        c.end = strtod(argv[1], NULL);
    bodies_init(&b, 32, rank);
    while (c.time < c.end) {
        agree(&c, &b);
        forces(&b);
        move(&b, &c);
    }
    if (rank == 0)
        printf("%g\n", b.x[0]);
    free(b.x);
    free(b.v);
    free(b.f);
    CHECK(MPI_Finalize());
    return 0;
}
