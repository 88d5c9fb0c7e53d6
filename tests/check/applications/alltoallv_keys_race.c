/* expect: local-race A B */
/* missed-at: -O1 the counts are computed in a loop there that -O2 knows the end of */
/* Keys go to their owners with counts and displacements computed; the own bucket's counter is updated in the buffer too early. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct exchange {
    int size;
    int *scount, *sdispl, *rcount, *rdispl;
    int *out, *in;
    int nin;
};

static int *ints(int n)
{
    int *p = calloc((size_t)(n > 0 ? n : 1), sizeof *p);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p;
}

static int owner(int key, int size)
{
    return (int)((unsigned)key * 2654435761u % (unsigned)size);
}

static void displacements(const int *count, int *displ, int size)
{
    displ[0] = 0;
    for (int i = 1; i < size; i++)
        displ[i] = displ[i - 1] + count[i - 1];
}

static void plan(struct exchange *x, const int *keys, int n, MPI_Comm comm)
{
    MPI_Comm_size(comm, &x->size);
    x->scount = ints(x->size);
    x->sdispl = ints(x->size);
    x->rcount = ints(x->size);
    x->rdispl = ints(x->size);
    x->out = ints(n);
    for (int i = 0; i < n; i++)
        x->scount[owner(keys[i], x->size)]++;
    MPI_Alltoall(x->scount, 1, MPI_INT, x->rcount, 1, MPI_INT, comm);
    displacements(x->scount, x->sdispl, x->size);
    displacements(x->rcount, x->rdispl, x->size);
    x->nin = x->rdispl[x->size - 1] + x->rcount[x->size - 1];
    x->in = ints(x->nin);
    int *fill = ints(x->size);
    for (int i = 0; i < n; i++) {
        int to = owner(keys[i], x->size);
        x->out[x->sdispl[to] + fill[to]++] = keys[i];
    }
    free(fill);
}

static void release(struct exchange *x)
{
    free(x->scount);
    free(x->sdispl);
    free(x->rcount);
    free(x->rdispl);
    free(x->out);
    free(x->in);
}

int main(int argc, char **argv)
{
    struct exchange x;
    MPI_Request request;
    int rank, n = 40, largest = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *keys = ints(n);
    for (int i = 0; i < n; i++)
        keys[i] = rank * 1000 + i * 7;
    plan(&x, keys, n, MPI_COMM_WORLD);
    MPI_Ialltoallv(x.out, x.scount, x.sdispl, MPI_INT, x.in, x.rcount, x.rdispl, MPI_INT, MPI_COMM_WORLD, &request); /* A */
    for (int i = 0; i < n; i++)
        x.out[i] = 0; /* B */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < x.nin; i++)
        if (x.in[i] > largest)
            largest = x.in[i];
    printf("%d: %d\n", rank, largest);
    free(keys);
    release(&x);
    MPI_Finalize();
    return 0;
}
