/* expect: none */
/* Parameters come from a file if there is one; the sum of the step before is used before the reduction is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parameters {
    int cells, steps;
    double dt;
};

static void defaults(struct parameters *p)
{
    p->cells = 64;
    p->steps = 4;
    p->dt = 0.1;
}

static int read_file(const char *name, struct parameters *p)
{
    char key[64];
    double value;
    FILE *file = fopen(name, "r");
    if (!file)
        return 1;
    while (fscanf(file, "%63s %lf", key, &value) == 2) {
        if (!strcmp(key, "cells"))
            p->cells = (int)value;
        else if (!strcmp(key, "steps"))
            p->steps = (int)value;
        else if (!strcmp(key, "dt"))
            p->dt = value;
        else
            fprintf(stderr, "unknown key %s\n", key);
    }
    fclose(file);
    return 0;
}

static double local_energy(const double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

static void advance(double *u, int n, double dt, double energy)
{
    for (int i = 0; i < n; i++)
        u[i] += dt * (1.0 - energy * 1e-3);
}

int main(int argc, char **argv)
{
    struct parameters p;
    int rank;
    double mine, total = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    defaults(&p);
    if (rank == 0 && read_file("parameters.txt", &p) != 0)
        fprintf(stderr, "no parameters.txt: defaults\n");
    MPI_Bcast(&p, sizeof p, MPI_BYTE, 0, MPI_COMM_WORLD);
    double *u = calloc((size_t)p.cells, sizeof *u);
    if (!u)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < p.steps; step++) {
        mine = local_energy(u, p.cells);
        MPI_Iallreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        advance(u, p.cells, p.dt, total);
    }
    if (rank == 0)
        printf("%g\n", total);
    free(u);
    MPI_Finalize();
    return 0;
}
