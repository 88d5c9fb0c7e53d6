/* expect: none */
/* Buffers, requests and their number are members of one object on the heap, used by begin and end. */
#include <mpi.h>
#include <stdlib.h>

#define CHECKED(call)                                   \
    do {                                                \
        int code = (call);                              \
        if (code != MPI_SUCCESS)                        \
            MPI_Abort(MPI_COMM_WORLD, code);            \
    } while (0)

struct exchange {
    int peers, count, peer[8];
    double *out[8], *in[8];
    MPI_Request req[16];
};

static struct exchange *make(int peers, int n)
{
    struct exchange *e = calloc(1, sizeof *e);
    e->peers = peers;
    e->count = n;
    for (int i = 0; i < peers; i++) {
        e->peer[i] = i;
        e->out[i] = malloc(n * sizeof(double));
        e->in[i] = malloc(n * sizeof(double));
    }
    return e;
}

static void begin(struct exchange *e)
{
    for (int i = 0; i < e->peers; i++) {
        CHECKED(MPI_Irecv(e->in[i], e->count, MPI_DOUBLE, e->peer[i], 0, MPI_COMM_WORLD, &e->req[2 * i]));
        CHECKED(MPI_Isend(e->out[i], e->count, MPI_DOUBLE, e->peer[i], 0, MPI_COMM_WORLD, &e->req[2 * i + 1]));
    }
}

static void end(struct exchange *e)
{
    CHECKED(MPI_Waitall(2 * e->peers, e->req, MPI_STATUSES_IGNORE));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double local[4];
    MPI_Request req;
    struct exchange *e = make(4, 100);
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < e->peers; i++)
            for (int k = 0; k < e->count; k++)
                e->out[i][k] = step;
        begin(e);
        MPI_Irecv(local, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &req); /* A */
        end(e);
        MPI_Wait(&req, MPI_STATUS_IGNORE);
        local[1] = e->in[0][0]; /* B */
    }
    MPI_Finalize();
    return 0;
}
