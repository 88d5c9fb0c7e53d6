/* expect-sources: local-race A B */
/* Blocks of an adaptive mesh in a list, each with a ghost array of its own; the fluxes read them before they have come. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 8, BLOCKS = 3 };

struct block {
    struct block *next;
    int id, owner;
    double values[WIDTH];
    double *ghost;
    MPI_Request request[2];
};

static struct block *blocks;

static void *xmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    return p;
}

static void add_block(int id, int owner)
{
    struct block *b = xmalloc(sizeof *b);
    b->id = id;
    b->owner = owner;
    b->ghost = xmalloc(WIDTH * sizeof(double));
    for (int i = 0; i < WIDTH; i++)
        b->values[i] = id + 0.5 * i;
    b->next = blocks;
    blocks = b;
}

static void start_ghosts(int rank, int size)
{
    for (struct block *b = blocks; b; b = b->next) {
        int from = (rank + size - 1) % size, to = (rank + 1) % size;
        MPI_Irecv(b->ghost, WIDTH, MPI_DOUBLE, from, b->id, MPI_COMM_WORLD, &b->request[0]); /* A */
        MPI_Isend(b->values, WIDTH, MPI_DOUBLE, to, b->id, MPI_COMM_WORLD, &b->request[1]);
    }
}

static void finish_ghosts(void)
{
    for (struct block *b = blocks; b; b = b->next)
        MPI_Waitall(2, b->request, MPI_STATUSES_IGNORE);
}

static double fluxes(void)
{
    double sum = 0;
    for (const struct block *b = blocks; b; b = b->next)
        for (int i = 0; i < WIDTH; i++)
            sum += b->values[i] - b->ghost[i]; /* B */
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    double flux, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < BLOCKS; i++)
        add_block(i, rank);
    start_ghosts(rank, size);
    flux = fluxes();
    finish_ghosts();
    MPI_Reduce(&flux, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("flux %g\n", total);
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks->ghost);
        free(blocks);
        blocks = next;
    }
    MPI_Finalize();
    return 0;
}
