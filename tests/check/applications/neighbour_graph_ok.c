/* A distributed graph exchanges degrees with its neighbours; the sums are made when the exchange is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct graph {
    MPI_Comm comm;
    int in, out;
    int *degrees, *theirs;
};

static int ring_graph(MPI_Comm base, struct graph *g)
{
    int rank, size, weighted;
    MPI_Comm_rank(base, &rank);
    MPI_Comm_size(base, &size);
    int peers[2] = {(rank + 1) % size, (rank + size - 1) % size};
    int code = MPI_Dist_graph_create_adjacent(base, 2, peers, MPI_UNWEIGHTED, 2, peers, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                              &g->comm);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Dist_graph_neighbors_count(g->comm, &g->in, &g->out, &weighted);
    if (code != MPI_SUCCESS)
        return code;
    g->degrees = malloc((size_t)g->out * sizeof(int));
    g->theirs = malloc((size_t)g->in * sizeof(int));
    return g->degrees && g->theirs ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static int relax(struct graph *g, int *sum)
{
    MPI_Request request;
    for (int i = 0; i < g->out; i++)
        g->degrees[i] = *sum + i;
    int code = MPI_Ineighbor_alltoall(g->degrees, 1, MPI_INT, g->theirs, 1, MPI_INT, g->comm, &request);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    *sum = 0;
    for (int i = 0; i < g->in; i++)
        *sum += g->theirs[i];
    return MPI_SUCCESS;
}

static void graph_free(struct graph *g)
{
    free(g->degrees);
    free(g->theirs);
    MPI_Comm_free(&g->comm);
}

int main(int argc, char **argv)
{
    struct graph g;
    int sum = 1, rounds = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (ring_graph(MPI_COMM_WORLD, &g) != MPI_SUCCESS) {
        fprintf(stderr, "no graph\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    while (rounds-- > 0)
        if (relax(&g, &sum) != MPI_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 1);
    printf("%d\n", sum);
    graph_free(&g);
    MPI_Finalize();
    return 0;
}
