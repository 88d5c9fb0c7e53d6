/* expect: none */
/* Persistent requests of a halo exchange; the border is computed while the sends of the same border run. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct halo {
    double *field;
    int n;
    MPI_Request all[4];
};

static void halo_setup(struct halo *h, double *field, int n, int left, int right)
{
    h->field = field;
    h->n = n;
    MPI_Recv_init(&field[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &h->all[0]);
    MPI_Recv_init(&field[n + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &h->all[1]);
    MPI_Send_init(&field[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &h->all[2]);
    MPI_Send_init(&field[n], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &h->all[3]);
}

static void halo_start(struct halo *h)
{
    MPI_Startall(4, h->all);
}

static void halo_finish(struct halo *h)
{
    MPI_Waitall(4, h->all, MPI_STATUSES_IGNORE);
}

static void halo_free(struct halo *h)
{
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&h->all[i]);
}

static void add_source(struct halo *h, double amount)
{
    h->field[1] += amount;
}

int main(int argc, char **argv)
{
    int rank, size, n = 1000;
    struct halo h;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *field = calloc(n + 2, sizeof *field);
    if (!field) {
        fprintf(stderr, "rank %d: no memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    halo_setup(&h, field, n, left, right);
    for (int step = 0; step < 10; step++) {
        halo_start(&h);
        for (int i = 2; i < n; i++)
            field[i] *= 0.99;
        halo_finish(&h);
        add_source(&h, 0.1);
    }
    halo_free(&h);
    free(field);
    MPI_Finalize();
    return 0;
}
