/* Output of each step is written in the background from a copy; the copy is filled again when the write of the last step is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    MPI_File file;
    MPI_Request request;
    float *copy;
    int n;
    MPI_Offset next, stride;
} writer;

static int writer_open(writer *w, const char *name, int n, int rank, int size)
{
    if (MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &w->file) != MPI_SUCCESS)
        return -1;
    w->copy = malloc((size_t)n * sizeof *w->copy);
    if (w->copy == NULL)
        return -1;
    w->n = n;
    w->request = MPI_REQUEST_NULL;
    w->next = (MPI_Offset)rank * n * (MPI_Offset)sizeof(float);
    w->stride = (MPI_Offset)size * n * (MPI_Offset)sizeof(float);
    return 0;
}

static int writer_put(writer *w, const double *field)
{
    MPI_Wait(&w->request, MPI_STATUS_IGNORE);
    for (int i = 0; i < w->n; i++)
        w->copy[i] = (float)field[i];
    int code = MPI_File_iwrite_at(w->file, w->next, w->copy, w->n, MPI_FLOAT, &w->request);
    w->next += w->stride;
    return code == MPI_SUCCESS ? 0 : -1;
}

static void writer_close(writer *w)
{
    MPI_Wait(&w->request, MPI_STATUS_IGNORE);
    MPI_File_close(&w->file);
    free(w->copy);
}

static void step(double *field, int n)
{
    double last = field[n - 1];
    for (int i = n - 1; i > 0; i--)
        field[i] = 0.5 * (field[i] + field[i - 1]);
    field[0] = 0.5 * (field[0] + last);
}

int main(int argc, char **argv)
{
    writer w;
    int rank, size, n = 512, steps = 8, every = 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *field = calloc((size_t)n, sizeof *field);
    field[0] = rank;
    if (writer_open(&w, argc > 1 ? argv[1] : "steps.raw", n, rank, size) != 0) {
        if (rank == 0)
            fprintf(stderr, "cannot write\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < steps; i++) {
        step(field, n);
        if (i % every == 0 && writer_put(&w, field) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    writer_close(&w);
    free(field);
    MPI_Finalize();
    return 0;
}
