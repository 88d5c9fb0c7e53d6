/* expect-sources: local-race A B */
/* A message is a header and a body in two sends; the header is a local variable of the function that starts them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct header {
    int kind, length, step;
};

struct transfer {
    MPI_Request requests[2];
    double *body;
    int length;
};

static void start_transfer(struct transfer *t, int to, int step)
{
    struct header header = {1, t->length, step};
    for (int i = 0; i < t->length; i++)
        t->body[i] = step * i;
    MPI_Isend(&header, 3, MPI_INT, to, 0, MPI_COMM_WORLD, &t->requests[0]); /* A */
    MPI_Isend(t->body, t->length, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &t->requests[1]);
} /* B */

static void receive_transfer(int from, double **body, int *length)
{
    struct header header;
    MPI_Recv(&header, 3, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (header.length > *length) {
        free(*body);
        *body = malloc((size_t)header.length * sizeof **body);
        if (!*body)
            MPI_Abort(MPI_COMM_WORLD, 1);
        *length = header.length;
    }
    MPI_Recv(*body, header.length, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void finish_transfer(struct transfer *t)
{
    MPI_Waitall(2, t->requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, room = 0;
    double *in = NULL;
    struct transfer t;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    t.length = 50;
    t.body = malloc((size_t)t.length * sizeof *t.body);
    if (!t.body)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; step < 3; step++) {
        start_transfer(&t, (rank + 1) % size, step);
        receive_transfer((rank + size - 1) % size, &in, &room);
        finish_transfer(&t);
    }
    printf("%d: %g\n", rank, in[1]);
    free(in);
    free(t.body);
    MPI_Finalize();
    return 0;
}
