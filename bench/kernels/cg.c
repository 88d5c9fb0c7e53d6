/* Conjugate gradients: a sparse matrix by index lists (27 points in a cube of size³ per rank, ranks stacked), planes between
 * neighbours by isend and irecv, sums by allreduce. No windows. */
#include <math.h>
#include <stdlib.h>

#include "kernel.h"

enum { POINTS = 27 };

static int n;
static int cells, plane; /* of this rank; plane: those on the border to a neighbour. Vectors have a plane before and behind. */

struct matrix {
    int *first; /* per row, and one more */
    int *columns;
    double *values;
};

static void build(struct matrix *matrix)
{
    int count = 0;
    matrix->first = malloc(sizeof *matrix->first * (size_t)(cells + 1));
    matrix->columns = malloc(sizeof *matrix->columns * POINTS * (size_t)cells);
    matrix->values = malloc(sizeof *matrix->values * POINTS * (size_t)cells);
    for (int row = 0; row < cells; row++) {
        int z = row / plane, y = row / n % n, x = row % n;
        matrix->first[row] = count;
        for (int point = 0; point < POINTS; point++) {
            int dz = point / 9 - 1, dy = point / 3 % 3 - 1, dx = point % 3 - 1;
            int level = kernel_rank * n + z + dz;
            if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n || level < 0 || level >= kernel_ranks * n)
                continue;
            matrix->columns[count] = plane + row + dz * plane + dy * n + dx;
            matrix->values[count++] = point == POINTS / 2 ? POINTS : -1;
        }
    }
    matrix->first[cells] = count;
}

static void multiply(const struct matrix *matrix, const double *restrict from, double *restrict to)
{
#pragma omp parallel for
    for (int row = 0; row < cells; row++) {
        double sum = 0;
        for (int i = matrix->first[row]; i < matrix->first[row + 1]; i++)
            sum += matrix->values[i] * from[matrix->columns[i]];
        to[row] = sum;
    }
}

static double product(const double *a, const double *b)
{
    double mine = 0, all;
    for (int i = 0; i < cells; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void exchange(double *vector)
{
    MPI_Request requests[4];
    int count = 0;
    if (kernel_rank > 0) {
        MPI_Irecv(vector, plane, MPI_DOUBLE, kernel_before(), 1, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(vector + plane, plane, MPI_DOUBLE, kernel_before(), 2, MPI_COMM_WORLD, &requests[count++]);
    }
    if (kernel_rank < kernel_ranks - 1) {
        MPI_Irecv(vector + plane + cells, plane, MPI_DOUBLE, kernel_after(), 2, MPI_COMM_WORLD, &requests[count++]);
        MPI_Isend(vector + cells, plane, MPI_DOUBLE, kernel_after(), 1, MPI_COMM_WORLD, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int iterations;
    struct matrix matrix;
    kernel_start(argc, argv, &iterations, &n);
    plane = n * n;
    cells = plane * n;
    build(&matrix);
    double *x = calloc((size_t)cells, sizeof *x), *rest = malloc(sizeof *rest * (size_t)cells), *image = malloc(sizeof *image * (size_t)cells);
    double *direction = calloc((size_t)(cells + 2 * plane), sizeof *direction), *inside = direction + plane;
    for (int i = 0; i < cells; i++)
        inside[i] = rest[i] = 1 + i % 7;
    double length = product(rest, rest), beginning = length;

    for (int i = 0; i < iterations; i++) {
        phase_begin();
        exchange(direction);
        phase_end(0, COMMUNICATES);
        phase_begin();
        multiply(&matrix, direction, image);
        phase_end(1, COMPUTES);
        phase_begin();
        double step = length / product(inside, image);
        for (int j = 0; j < cells; j++) {
            x[j] += step * inside[j];
            rest[j] -= step * image[j];
        }
        double now = product(rest, rest), more = length > 0 ? now / length : 0;
        length = now;
        for (int j = 0; j < cells; j++)
            inside[j] = rest[j] + more * inside[j];
        phase_end(2, COMMUNICATES);
    }
    free(x);
    free(rest);
    free(image);
    free(direction);
    free(matrix.first);
    free(matrix.columns);
    free(matrix.values);
    return kernel_end(length < beginning);
}
