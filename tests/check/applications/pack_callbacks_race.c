/* expect: local-race A B */
/* Fields register functions that pack and unpack; the second field packs into the buffer that is being sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*pack_fn)(const void *field, char *buffer);
typedef int (*unpack_fn)(void *field, const char *buffer);

struct field_ops {
    const char *name;
    pack_fn pack;
    unpack_fn unpack;
};

struct velocity {
    double u[16], v[16];
};

struct flags {
    int bits[16];
};

static int pack_velocity(const void *field, char *buffer)
{
    const struct velocity *w = field;
    memcpy(buffer, w->u, sizeof w->u); /* C */
    return (int)sizeof w->u;
}

static int unpack_velocity(void *field, const char *buffer)
{
    struct velocity *w = field;
    memcpy(w->v, buffer, sizeof w->v);
    return (int)sizeof w->v;
}

static int pack_flags(const void *field, char *buffer)
{
    const struct flags *f = field;
    memcpy(buffer, f->bits, sizeof f->bits); /* B */
    return (int)sizeof f->bits;
}

static int unpack_flags(void *field, const char *buffer)
{
    struct flags *f = field;
    for (int i = 0; i < 16; i++)
        f->bits[i] |= buffer[4 * i];
    return (int)sizeof f->bits;
}

static const struct field_ops operations[] = {{"velocity", pack_velocity, unpack_velocity},
                                              {"flags", pack_flags, unpack_flags}};

struct exchanger {
    int left, right, nfields;
    void *fields[2];
    char out[2][512], in[2][512];
    MPI_Request requests[4];
};

static void start(struct exchanger *x)
{
    for (int f = 0; f < x->nfields; f++) {
        char *buffer = x->out[0];
        int bytes = operations[f].pack(x->fields[f], buffer);
        MPI_Irecv(x->in[f], 512, MPI_BYTE, x->left, f, MPI_COMM_WORLD, &x->requests[2 * f]);
        MPI_Isend(buffer, bytes, MPI_BYTE, x->right, f, MPI_COMM_WORLD, &x->requests[2 * f + 1]); /* A */
    }
}

static void finish(struct exchanger *x)
{
    MPI_Waitall(2 * x->nfields, x->requests, MPI_STATUSES_IGNORE);
    for (int f = 0; f < x->nfields; f++)
        operations[f].unpack(x->fields[f], x->in[f]);
}

int main(int argc, char **argv)
{
    struct exchanger x;
    struct velocity velocity;
    struct flags flags;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    memset(&velocity, 0, sizeof velocity);
    memset(&flags, 0, sizeof flags);
    x.left = (rank + size - 1) % size;
    x.right = (rank + 1) % size;
    x.fields[0] = &velocity;
    x.fields[1] = &flags;
    x.nfields = 2;
    for (int step = 0; step < 2; step++) {
        velocity.u[0] = step;
        flags.bits[0] = rank;
        start(&x);
        finish(&x);
    }
    printf("%s %g %d\n", operations[0].name, velocity.v[0], flags.bits[0]);
    MPI_Finalize();
    return 0;
}
