/* expect: local-race A B */
/* Breadth first search: the frontier for others is rebuilt while its exchange is under way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int nranks, per_rank;
    int *outgoing, *incoming; /* per_rank vertices for each process */
    char *visited;
    int nvertices;
} bfs;

static void *xmalloc(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "out of memory (%zu bytes)\n", bytes);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return p;
}

static void bfs_init(bfs *b, int nranks, int nvertices)
{
    b->nranks = nranks;
    b->per_rank = 64;
    b->nvertices = nvertices;
    b->outgoing = xmalloc(sizeof(int) * b->per_rank * nranks);
    b->incoming = xmalloc(sizeof(int) * b->per_rank * nranks);
    b->visited = xmalloc(nvertices);
    memset(b->visited, 0, nvertices);
}

static void clear_outgoing(bfs *b)
{
    for (int i = 0; i < b->nranks * b->per_rank; i++)
        b->outgoing[i] = -1; /* B */
}

static void add_edges(bfs *b, int vertex)
{
    for (int k = 1; k <= 3; k++) {
        int to = (vertex * 7 + k) % (b->nvertices * b->nranks), owner = to / b->nvertices;
        b->outgoing[owner * b->per_rank + vertex % b->per_rank] = to % b->nvertices;
    }
}

static int level(bfs *b)
{
    int found = 0, total;
    MPI_Request request;
    for (int v = 0; v < b->nvertices; v++)
        if (b->visited[v] == 1) {
            add_edges(b, v);
            b->visited[v] = 2;
        }
    MPI_Ialltoall(b->outgoing, b->per_rank, MPI_INT, b->incoming, b->per_rank, MPI_INT, MPI_COMM_WORLD, &request); /* A */
    clear_outgoing(b);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < b->nranks * b->per_rank; i++)
        if (b->incoming[i] >= 0 && !b->visited[b->incoming[i]]) {
            b->visited[b->incoming[i]] = 1;
            found++;
        }
    MPI_Allreduce(&found, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

int main(int argc, char **argv)
{
    int rank, size, depth = 0;
    bfs b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bfs_init(&b, size, 1000);
    clear_outgoing(&b);
    if (rank == 0)
        b.visited[0] = 1;
    while (level(&b) > 0)
        depth++;
    if (rank == 0)
        printf("depth %d\n", depth);
    MPI_Finalize();
    return 0;
}
