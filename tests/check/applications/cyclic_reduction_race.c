/* expect: local-race A B */
/* Recursive doubling of prefix sums; the partner's part is added to the sum that is still being sent. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct scan {
    int n, rank, size;
    double *prefix, *total, *incoming;
};

static int scan_make(struct scan *s, int n)
{
    if (MPI_Comm_rank(MPI_COMM_WORLD, &s->rank) != MPI_SUCCESS || MPI_Comm_size(MPI_COMM_WORLD, &s->size) != MPI_SUCCESS)
        return 0;
    if (s->size & (s->size - 1))
        return 0;
    s->n = n;
    s->prefix = calloc((size_t)n, sizeof(double));
    s->total = calloc((size_t)n, sizeof(double));
    s->incoming = calloc((size_t)n, sizeof(double));
    return s->prefix && s->total && s->incoming;
}

static void scan_combine(struct scan *s, int partner)
{
    for (int i = 0; i < s->n; i++) {
        if (partner < s->rank)
            s->prefix[i] += s->incoming[i];
        s->total[i] += s->incoming[i]; /* B */
    }
}

static void scan_run(struct scan *s)
{
    for (int mask = 1; mask < s->size; mask <<= 1) {
        int partner = s->rank ^ mask;
        MPI_Request request;
        MPI_Isend(s->total, s->n, MPI_DOUBLE, partner, mask, MPI_COMM_WORLD, &request); /* A */
        MPI_Recv(s->incoming, s->n, MPI_DOUBLE, partner, mask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        scan_combine(s, partner);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    struct scan s;
    MPI_Init(&argc, &argv);
    if (!scan_make(&s, 25)) {
        fprintf(stderr, "a power of two of processes, please\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < s.n; i++)
        s.prefix[i] = s.total[i] = s.rank + i;
    scan_run(&s);
    printf("%d: %g\n", s.rank, s.prefix[s.n - 1]);
    free(s.prefix);
    free(s.total);
    free(s.incoming);
    MPI_Finalize();
    return 0;
}
