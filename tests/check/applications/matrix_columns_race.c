/* expect: local-race A B */
/* A matrix with row pointers into one block; a column is sent by a vector type and scaled at the same time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, columns;
    double **at;
    double *block;
} Matrix;

static void fail(const char *what)
{
    fprintf(stderr, "failed: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 9);
    exit(9);
}

static Matrix matrix_make(int rows, int columns)
{
    Matrix m = {rows, columns, malloc((size_t)rows * sizeof(double *)), malloc((size_t)rows * (size_t)columns * sizeof(double))};
    if (!m.at || !m.block)
        fail("matrix");
    for (int i = 0; i < rows; i++) {
        m.at[i] = m.block + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; j++)
            m.at[i][j] = i == j;
    }
    return m;
}

static void matrix_drop(Matrix *m)
{
    free(m->at);
    free(m->block);
}

static void scale_column(Matrix *m, int column, double factor)
{
    for (int i = 0; i < m->rows; i++)
        m->at[i][column] *= factor; /* B */
}

static void hand_on(Matrix *m, int column, int to, int from)
{
    MPI_Datatype type;
    MPI_Request request;
    double *incoming = malloc((size_t)m->rows * sizeof *incoming);
    if (!incoming)
        fail("column");
    MPI_Type_vector(m->rows, 1, m->columns, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Isend(&m->at[0][column], 1, type, to, column, MPI_COMM_WORLD, &request); /* A */
    MPI_Type_free(&type);
    MPI_Recv(incoming, m->rows, MPI_DOUBLE, from, column, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    scale_column(m, column, 2.0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < m->rows; i++)
        m->at[i][column] += incoming[i];
    free(incoming);
}

int main(int argc, char **argv)
{
    int rank, size, order = 12;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1 && (order = atoi(argv[1])) < 2)
        fail("order");
    Matrix m = matrix_make(order, order);
    for (int column = 0; column + 1 < order; column++)
        hand_on(&m, column, (rank + 1) % size, (rank + size - 1) % size);
    matrix_drop(&m);
    MPI_Finalize();
    return 0;
}
