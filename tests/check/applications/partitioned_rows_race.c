/* expect-sources: local-race A B */
/* Rows are sent as partitions, each marked ready when it is computed; the corrected row is one that has been marked. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OPEN_MPI /* has them from 5.0 on */
int MPI_Psend_init(const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Precv_init(void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *);
int MPI_Pready(int, MPI_Request);
int MPI_Parrived(MPI_Request, int, int *);
#endif

enum { ROWS = 4, COLUMNS = 100 };

struct matrix {
    double values[ROWS][COLUMNS];
    MPI_Request request;
};

static void compute_row(double *row, int i)
{
    for (int j = 0; j < COLUMNS; j++)
        row[j] = i + 0.01 * j;
}

static void correct(double *row)
{
    row[0] = 1 - row[COLUMNS - 1]; /* B */
}

static void produce(struct matrix *m, int to)
{
    MPI_Psend_init(m->values, ROWS, COLUMNS, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &m->request);
    MPI_Start(&m->request);
    for (int i = 0; i < ROWS; i++) {
        compute_row(m->values[i], i);
        MPI_Pready(i, m->request); /* A */
        correct(m->values[i]);
    }
    MPI_Wait(&m->request, MPI_STATUS_IGNORE);
    MPI_Request_free(&m->request);
}

static double consume(struct matrix *m, int from)
{
    double sum = 0;
    MPI_Precv_init(m->values, ROWS, COLUMNS, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &m->request);
    MPI_Start(&m->request);
    for (int i = 0; i < ROWS; i++) {
        int arrived = 0;
        while (!arrived)
            MPI_Parrived(m->request, i, &arrived);
        for (int j = 0; j < COLUMNS; j++)
            sum += m->values[i][j];
    }
    MPI_Wait(&m->request, MPI_STATUS_IGNORE);
    MPI_Request_free(&m->request);
    return sum;
}

int main(int argc, char **argv)
{
    struct matrix *m = malloc(sizeof *m);
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (m == NULL || size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        produce(m, 1);
    else if (rank == 1)
        printf("%g\n", consume(m, 0));
    free(m);
    MPI_Finalize();
    return 0;
}
