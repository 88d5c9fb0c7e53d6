/* Parameters come from a file of "key = value" lines that the first process reads; the step overlaps the exchange
   with an update of the cells that are not being sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct params {
    int cells, steps, halo;
    double dt;
} params;

static int set_key(params *p, const char *key, const char *value)
{
    if (strcmp(key, "cells") == 0)
        p->cells = atoi(value);
    else if (strcmp(key, "steps") == 0)
        p->steps = atoi(value);
    else if (strcmp(key, "halo") == 0)
        p->halo = atoi(value);
    else if (strcmp(key, "dt") == 0)
        p->dt = atof(value);
    else
        return -1;
    return 0;
}

static void read_params(params *p, const char *name)
{
    char line[128], key[32], value[64];
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        if (sscanf(line, "%31s = %63s", key, value) != 2 || set_key(p, key, value) != 0) {
            fprintf(stderr, "%s: bad line: %s", name, line);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    fclose(file);
}

static void check_params(const params *p)
{
    if (p->cells <= 4 * p->halo || p->halo < 1 || p->steps < 1) {
        fprintf(stderr, "bad parameters\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void run(const params *p, int rank, int size)
{
    int left = (rank - 1 + size) % size, right = (rank + 1) % size, n = p->cells, h = p->halo;
    double *u = calloc((size_t)(n + 2 * h), sizeof(double));
    MPI_Request r[4];
    if (!u)
        MPI_Abort(MPI_COMM_WORLD, 1);
    u[h] = rank + 1;
    for (int step = 0; step < p->steps; step++) {
        MPI_Irecv(u, h, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(u + h + n, h, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(u + n, h, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(u + h, h, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[3]);
        for (int i = 2 * h; i < n; i++)
            u[i] += p->dt;
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
        for (int i = h; i < 2 * h; i++)
            u[i] += p->dt * u[i - h];
        for (int i = n; i < n + h; i++)
            u[i] += p->dt * u[i + h];
    }
    printf("%d: %g\n", rank, u[h]);
    free(u);
}

int main(int argc, char **argv)
{
    params p = {100, 10, 1, 0.1};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && argc > 1)
        read_params(&p, argv[1]);
    MPI_Bcast(&p, sizeof p, MPI_BYTE, 0, MPI_COMM_WORLD);
    check_params(&p);
    run(&p, rank, size);
    MPI_Finalize();
    return 0;
}
