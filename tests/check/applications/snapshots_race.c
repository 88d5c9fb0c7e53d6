/* expect: local-race A B */
/* Snapshots are written to a file in the background; the field moves on before the write is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct snapshots {
    MPI_File file;
    MPI_Request pending;
    MPI_Offset offset;
    int open;
};

struct field {
    int n, rank, size;
    float *values;
};

static void snapshots_open(struct snapshots *s, const char *name)
{
    int code = MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &s->file);
    s->open = code == MPI_SUCCESS;
    s->pending = MPI_REQUEST_NULL;
    s->offset = 0;
    if (!s->open)
        fprintf(stderr, "%s cannot be written: no snapshots\n", name);
}

static void snapshots_finish(struct snapshots *s)
{
    if (s->pending != MPI_REQUEST_NULL)
        MPI_Wait(&s->pending, MPI_STATUS_IGNORE);
}

static void snapshots_take(struct snapshots *s, const struct field *f)
{
    if (!s->open)
        return;
    snapshots_finish(s);
    MPI_File_iwrite_at(s->file, s->offset + (MPI_Offset)f->rank * f->n * (MPI_Offset)sizeof(float), f->values, f->n, MPI_FLOAT, &s->pending); /* A */
    s->offset += (MPI_Offset)f->size * f->n * (MPI_Offset)sizeof(float);
}

static void field_advance(struct field *f)
{
    for (int i = 0; i < f->n; i++)
        f->values[i] = f->values[i] * 0.9f + 0.1f; /* B */
}

int main(int argc, char **argv)
{
    struct snapshots s;
    struct field f = {.n = 256};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &f.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &f.size);
    f.values = calloc((size_t)f.n, sizeof(float));
    if (!f.values)
        MPI_Abort(MPI_COMM_WORLD, 1);
    snapshots_open(&s, argc > 1 ? argv[1] : "snapshots.bin");
    for (int step = 0; step < 20; step++) {
        field_advance(&f);
        if (step % 5 == 0)
            snapshots_take(&s, &f);
    }
    snapshots_finish(&s);
    if (s.open)
        MPI_File_close(&s.file);
    free(f.values);
    MPI_Finalize();
    return 0;
}
