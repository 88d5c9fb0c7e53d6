/* expect: local-race A B */
/* A checkpoint is written in the background while the next step changes the state. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    int n, step;
    double *values;
};

struct writer {
    MPI_File file;
    MPI_Request request;
    int busy;
};

static int writer_open(struct writer *w, const char *name)
{
    w->busy = 0;
    return MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &w->file);
}

static int writer_begin(struct writer *w, const struct state *s, MPI_Offset at)
{
    int error = MPI_File_iwrite_at(w->file, at, s->values, s->n, MPI_DOUBLE, &w->request); /* A */
    w->busy = error == MPI_SUCCESS;
    return error;
}

static void writer_end(struct writer *w)
{
    if (w->busy) {
        MPI_Wait(&w->request, MPI_STATUS_IGNORE);
        w->busy = 0;
    }
}

static void advance(struct state *s)
{
    for (int i = 0; i < s->n; i++)
        s->values[i] = 0.5 * s->values[i] + s->step; /* B */
    s->step++;
}

int main(int argc, char **argv)
{
    int rank;
    struct state s = {.n = 10000};
    struct writer w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    s.values = malloc(s.n * sizeof(double));
    if (!s.values)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(s.values, 0, s.n * sizeof(double));
    if (writer_open(&w, "state.bin") != MPI_SUCCESS) {
        fprintf(stderr, "cannot open state.bin\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < 5; i++) {
        if (writer_begin(&w, &s, (MPI_Offset)rank * s.n * 8) != MPI_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 1);
        advance(&s);
        writer_end(&w);
    }
    MPI_File_close(&w.file);
    free(s.values);
    MPI_Finalize();
    return 0;
}
