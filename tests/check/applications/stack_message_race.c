/* expect: local-race A B */
/* expect: local-race A C */
/* A message in a function's own variable is still being sent when the function writes the next one there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct header {
    int kind, length;
    long stamp;
};

struct link {
    int peer;
    MPI_Request pending;
};

static void link_wait(struct link *l)
{
    if (l->pending != MPI_REQUEST_NULL)
        MPI_Wait(&l->pending, MPI_STATUS_IGNORE);
}

static void send_header(struct link *l, struct header *h)
{
    MPI_Isend(h, sizeof *h, MPI_BYTE, l->peer, 1, MPI_COMM_WORLD, &l->pending); /* A */
}

static void send_all(struct link *l, const long *stamps, int n)
{
    struct header h = {.kind = 1};
    for (int i = 0; i < n; i++) {
        h.length = n; /* C */
        h.stamp = stamps[i]; /* B */
        link_wait(l);
        send_header(l, &h);
    }
    link_wait(l);
}

int main(int argc, char **argv)
{
    int rank, size;
    long stamps[] = {3, 1, 4, 1, 5};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0) {
        struct link l = {1, MPI_REQUEST_NULL};
        send_all(&l, stamps, 5);
    } else {
        struct header h;
        for (int i = 0; i < 5; i++) {
            MPI_Recv(&h, sizeof h, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("%ld\n", h.stamp);
        }
    }
    MPI_Finalize();
    return 0;
}
