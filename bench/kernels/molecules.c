/* Molecular dynamics in one dimension of ranks: forces between close particles by a list of neighbours, ends exchanged by put
 * and fence. The windows are a few words on the stack, beside the box and the sums that every pair of particles needs. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

enum { NEIGHBOURS = 16 };

struct particle {
    double x[3], v[3], f[3];
};

/* On the stack of main, with the windows. */
struct box {
    double length[3], cutoff, energy, virial;
    int count;
};

struct edges {
    double from_before, from_after; /* the neighbours' energies: window memory */
};

static void place(struct particle *particles, const struct box *box)
{
    for (int i = 0; i < box->count; i++)
        for (int d = 0; d < 3; d++) {
            particles[i].x[d] = (d == 0 ? i * 0.9 : 0.4 * sin(i * (d + 1.0)));
            particles[i].v[d] = 0;
        }
}

static void list_neighbours(int *list, const struct box *box)
{
    for (int i = 0; i < box->count; i++)
        for (int j = 0; j < NEIGHBOURS; j++)
            list[i * NEIGHBOURS + j] = (i + j + 1) % box->count;
}

static void pair(struct particle *a, struct particle *b, struct box *box)
{
    double distance[3], square = 0;
    for (int d = 0; d < 3; d++) {
        distance[d] = a->x[d] - b->x[d];
        if (distance[d] > 0.5 * box->length[d])
            distance[d] -= box->length[d];
        else if (distance[d] < -0.5 * box->length[d])
            distance[d] += box->length[d];
        square += distance[d] * distance[d];
    }
    if (square > box->cutoff * box->cutoff)
        return;
    double inverse = 1 / (square + 0.1), force = inverse * inverse * inverse;
    box->energy += force;
    box->virial += force * square;
    for (int d = 0; d < 3; d++) {
        a->f[d] += force * distance[d];
        b->f[d] -= force * distance[d];
    }
}

static void forces(struct particle *particles, const int *list, struct box *box)
{
    for (int i = 0; i < box->count; i++)
        for (int d = 0; d < 3; d++)
            particles[i].f[d] = 0;
    for (int i = 0; i < box->count; i++)
        for (int j = 0; j < NEIGHBOURS; j++)
            pair(&particles[i], &particles[list[i * NEIGHBOURS + j]], box);
}

static void move(struct particle *particles, const struct box *box)
{
    for (int i = 0; i < box->count; i++)
        for (int d = 0; d < 3; d++) {
            particles[i].v[d] += 1e-4 * particles[i].f[d];
            particles[i].x[d] += 1e-4 * particles[i].v[d];
        }
}

int main(int argc, char **argv)
{
    int iterations, right = 1;
    struct box box = {.cutoff = 4};
    struct edges edges = {0, 0};
    kernel_start(argc, argv, &iterations, &box.count);
    struct particle *particles = calloc((size_t)box.count, sizeof *particles);
    int *list = malloc(sizeof *list * NEIGHBOURS * (size_t)box.count);
    for (int d = 0; d < 3; d++)
        box.length[d] = d == 0 ? box.count * 0.9 : 4;
    MPI_Win window;
    MPI_Win_create(&edges, sizeof edges, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    kernel_window_bytes = sizeof edges;
    place(particles, &box);
    list_neighbours(list, &box);

    for (int i = 0; i < iterations; i++) {
        phase_begin();
        box.energy = box.virial = 0;
        forces(particles, list, &box);
        move(particles, &box);
        phase_end(0, COMPUTES);
        phase_begin();
        MPI_Win_fence(0, window);
        MPI_Put(&box.energy, 1, MPI_DOUBLE, kernel_before(), 1, 1, MPI_DOUBLE, window);
        MPI_Put(&box.energy, 1, MPI_DOUBLE, kernel_after(), 0, 1, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        right &= edges.from_before > 0 && fabs(edges.from_before - edges.from_after) < 1e-6;
        phase_end(1, COMMUNICATES);
    }

    double momentum = 0; /* every force has its counterforce */
    for (int i = 0; i < box.count; i++)
        momentum += particles[i].v[0] + particles[i].v[1] + particles[i].v[2];
    right &= fabs(momentum) < 1e-6;
    MPI_Win_free(&window);
    free(particles);
    free(list);
    return kernel_end(right);
}
