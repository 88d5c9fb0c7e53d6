/* Labels that spread over a graph: each vertex takes the least label around it. Edges are lists of indices; labels of the other
 * ranks' vertices are fetched by get under lock_all into a private copy, from windows that hold nothing but labels. */
#include <stdint.h>
#include <stdlib.h>

#include "kernel.h"

enum { DEGREE = 8 };

static int n; /* vertices of this rank */

struct vertex {
    int edges, first;
};

/* A few neighbours anywhere, the same from one run to the next; the first edge makes a ring. */
static void connect(struct vertex *vertices, int64_t *targets)
{
    uint64_t state = UINT64_C(88172645463325252) + (uint64_t)kernel_rank;
    int64_t all = (int64_t)n * kernel_ranks, own = (int64_t)n * kernel_rank;
    int count = 0;
    for (int i = 0; i < n; i++) {
        vertices[i].first = count;
        vertices[i].edges = 1 + i % DEGREE;
        for (int j = 0; j < vertices[i].edges; j++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            targets[count++] = j == 0 ? (own + i + 1) % all : (int64_t)(state % (uint64_t)all);
        }
    }
}

static int spread(const struct vertex *vertices, const int64_t *targets, const int64_t *known, int64_t *labels)
{
    int changed = 0;
    for (int i = 0; i < n; i++) {
        int64_t least = labels[i];
        for (int j = vertices[i].first; j < vertices[i].first + vertices[i].edges; j++)
            if (known[targets[j]] < least)
                least = known[targets[j]];
        changed += least != labels[i];
        labels[i] = least;
    }
    return changed;
}

int main(int argc, char **argv)
{
    int iterations, right = 1;
    kernel_start(argc, argv, &iterations, &n);
    struct vertex *vertices = malloc(sizeof *vertices * (size_t)n);
    int64_t *targets = malloc(sizeof *targets * DEGREE * (size_t)n), *known = malloc(sizeof *known * (size_t)n * (size_t)kernel_ranks);
    int64_t *labels = malloc(sizeof *labels * (size_t)n), *published;
    MPI_Win window;
    MPI_Win_allocate((MPI_Aint)sizeof *published * n, sizeof *published, MPI_INFO_NULL, MPI_COMM_WORLD, &published, &window);
    kernel_window_bytes = sizeof *published * (size_t)n;
    connect(vertices, targets);
    for (int i = 0; i < n; i++)
        published[i] = labels[i] = (int64_t)n * kernel_rank + i;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, window);
    for (int i = 0; i < iterations; i++) {
        phase_begin();
        MPI_Win_sync(window);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int rank = 0; rank < kernel_ranks; rank++)
            MPI_Get(known + (size_t)rank * (size_t)n, n, MPI_INT64_T, rank, 0, n, MPI_INT64_T, window);
        MPI_Win_flush_all(window);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(window);
        phase_end(0, COMMUNICATES);
        phase_begin();
        for (int again = 0; again < 4; again++)
            spread(vertices, targets, known, labels);
        for (int j = 0; j < n; j++)
            published[j] = labels[j];
        phase_end(1, COMPUTES);
    }
    MPI_Win_unlock_all(window);

    for (int i = 0; i < n; i++)
        right &= labels[i] >= 0 && labels[i] <= (int64_t)n * kernel_rank + i;
    MPI_Win_free(&window);
    free(vertices);
    free(targets);
    free(known);
    free(labels);
    return kernel_end(right);
}
