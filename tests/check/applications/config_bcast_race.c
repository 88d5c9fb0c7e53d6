/* expect-sources: local-race A B */
/* The configuration is broadcast in the background; everybody uses it at once. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
    int nx, ny, steps;
    double dt;
};

static void defaults(struct config *c)
{
    c->nx = 100;
    c->ny = 100;
    c->steps = 10;
    c->dt = 0.01;
}

static int parse(struct config *c, int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "-x"))
            c->nx = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-y"))
            c->ny = atoi(argv[i + 1]);
        else
            return -1;
    }
    return 0;
}

static double *allocate(const struct config *c)
{
    double *field = calloc((size_t)c->nx * 100, sizeof(double)); /* B */
    if (!field)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return field;
}

int main(int argc, char **argv)
{
    int rank;
    struct config c;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        defaults(&c);
        if (parse(&c, argc, argv) != 0) {
            fprintf(stderr, "usage: heat [-x n] [-y n]\n");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Ibcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD, &request); /* A */
    double *field = allocate(&c);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    field[0] = c.dt;
    printf("%g\n", field[0]);
    free(field);
    MPI_Finalize();
    return 0;
}
