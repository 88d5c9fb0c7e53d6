/* expect-sources: local-race A B */
/* Shared nodes of a mesh are sent in place with an indexed type; all nodes are smoothed before the wait. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 40, SHARED = 5 };

struct mesh {
    double position[NODES];
    double theirs[SHARED];
    int shared[SHARED];
    int peer;
    MPI_Datatype shared_type;
};

static void find_shared(struct mesh *m)
{
    for (int i = 0; i < SHARED; i++)
        m->shared[i] = 3 + 7 * i;
    MPI_Type_create_indexed_block(SHARED, 1, m->shared, MPI_DOUBLE, &m->shared_type);
    MPI_Type_commit(&m->shared_type);
}

static void start(struct mesh *m, MPI_Request *requests)
{
    MPI_Irecv(m->theirs, SHARED, MPI_DOUBLE, m->peer, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(m->position, 1, m->shared_type, m->peer, 5, MPI_COMM_WORLD, &requests[1]); /* A */
}

static void smooth(struct mesh *m)
{
    double before = m->position[0];
    for (int i = 1; i < NODES - 1; i++) {
        double old = m->position[i];
        m->position[i] = (before + old + m->position[i + 1]) / 3; /* B */
        before = old;
    }
}

static void merge(struct mesh *m)
{
    for (int i = 0; i < SHARED; i++)
        m->position[m->shared[i]] = 0.5 * (m->position[m->shared[i]] + m->theirs[i]);
}

int main(int argc, char **argv)
{
    struct mesh m;
    MPI_Request requests[2];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size % 2 != 0) {
        if (rank == 0)
            fprintf(stderr, "an even number of processes, please\n");
        MPI_Finalize();
        return 1;
    }
    m.peer = rank ^ 1;
    for (int i = 0; i < NODES; i++)
        m.position[i] = rank * NODES + i;
    find_shared(&m);
    for (int step = 0; step < 4; step++) {
        start(&m, requests);
        smooth(&m);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        merge(&m);
    }
    printf("%g\n", m.position[3]);
    MPI_Type_free(&m.shared_type);
    MPI_Finalize();
    return 0;
}
