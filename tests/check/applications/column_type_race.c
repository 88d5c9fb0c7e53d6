/* expect: local-race A B */
/* Columns of a matrix by a vector type, whose length is that of the matrix at run time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int rows, cols;
    double *at;
    MPI_Datatype column;
};

static void matrix_make(struct matrix *m, int rows, int cols)
{
    m->rows = rows;
    m->cols = cols;
    m->at = calloc((size_t)rows * cols, sizeof(double));
    if (!m->at)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Type_vector(rows, 1, cols, MPI_DOUBLE, &m->column);
    MPI_Type_commit(&m->column);
}

static void matrix_drop(struct matrix *m)
{
    MPI_Type_free(&m->column);
    free(m->at);
}

static void scale_column(struct matrix *m, int c, double by)
{
    for (int r = 0; r < m->rows; r++)
        m->at[r * m->cols + c] *= by; /* B */
}

static void exchange(struct matrix *m, int left, int right)
{
    MPI_Request request;
    MPI_Isend(&m->at[m->cols - 2], 1, m->column, right, 0, MPI_COMM_WORLD, &request); /* A */
    MPI_Recv(&m->at[0], 1, m->column, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    scale_column(m, m->cols - 2, 0.5);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct matrix m;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    matrix_make(&m, 100, argc > 1 ? atoi(argv[1]) : 50);
    exchange(&m, (rank + size - 1) % size, (rank + 1) % size);
    matrix_drop(&m);
    MPI_Finalize();
    return 0;
}
