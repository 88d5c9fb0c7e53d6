/* expect: local-race A B */
/* missed-at: -O1 */ /* LLVM compares the loop's 64-bit counter cut to 32 bits; -O2 does not */
/* A parallel loop runs through a buffer in use. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static double edge[128], field[4096];
int main(int argc, char **argv) {
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request r[2];
    MPI_Irecv(edge, 128, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]); /* A */
    MPI_Isend(field, 128, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 128; i++)
        s += edge[i]; /* B */
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    printf("%g %d\n", s, omp_get_max_threads());
    MPI_Finalize();
}
