/* expect-sources: local-race A B */
/* Particles that leave are collected per direction; the lists are emptied and refilled by a second sweep before the sends end. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct particle {
    double x, v;
    long id;
} particle;

typedef struct list {
    particle *items;
    int count, room;
} list;

typedef struct domain {
    double low, high;
    int neighbour[2];
    list own, leaving[2];
    MPI_Comm comm;
    MPI_Datatype type;
} domain;

static void list_push(list *l, particle p)
{
    assert(l->count < l->room);
    l->items[l->count++] = p; /* B */
}

static void list_make(list *l, int room)
{
    l->items = malloc((size_t)room * sizeof(particle));
    if (l->items == NULL) {
        perror("malloc");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    l->count = 0;
    l->room = room;
}

static void sort_out(domain *d)
{
    int kept = 0;
    for (int i = 0; i < d->own.count; i++) {
        particle p = d->own.items[i];
        if (p.x < d->low)
            list_push(&d->leaving[0], p);
        else if (p.x >= d->high)
            list_push(&d->leaving[1], p);
        else
            d->own.items[kept++] = p;
    }
    d->own.count = kept;
}

static void move(domain *d, double dt)
{
    for (int i = 0; i < d->own.count; i++)
        d->own.items[i].x += dt * d->own.items[i].v;
}

static void exchange(domain *d, MPI_Request requests[2])
{
    for (int side = 0; side < 2; side++)
        MPI_Isend(d->leaving[side].items, d->leaving[side].count, d->type, d->neighbour[side], 7 + side, d->comm, /* A */
                  &requests[side]);
    for (int side = 0; side < 2; side++) {
        int from = d->neighbour[1 - side], count;
        MPI_Status status;
        if (from == MPI_PROC_NULL)
            continue;
        MPI_Probe(from, 7 + side, d->comm, &status);
        MPI_Get_count(&status, d->type, &count);
        if (d->own.count + count > d->own.room)
            MPI_Abort(d->comm, 2);
        MPI_Recv(d->own.items + d->own.count, count, d->type, from, 7 + side, d->comm, MPI_STATUS_IGNORE);
        d->own.count += count;
    }
}

int main(int argc, char **argv)
{
    domain d;
    int rank, size;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Init(&argc, &argv);
    d.comm = MPI_COMM_WORLD;
    MPI_Comm_rank(d.comm, &rank);
    MPI_Comm_size(d.comm, &size);
    MPI_Type_contiguous(sizeof(particle), MPI_BYTE, &d.type);
    MPI_Type_commit(&d.type);
    d.low = rank;
    d.high = rank + 1;
    d.neighbour[0] = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    d.neighbour[1] = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    list_make(&d.own, 1000);
    list_make(&d.leaving[0], 1000);
    list_make(&d.leaving[1], 1000);
    for (int i = 0; i < 50; i++)
        list_push(&d.own, (particle){rank + i / 50.0, i % 2 ? 0.3 : -0.2, 50L * rank + i});
    for (int step = 0; step < 4; step++) {
        move(&d, 0.5);
        d.leaving[0].count = d.leaving[1].count = 0;
        sort_out(&d);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        exchange(&d, requests);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    printf("%d: %d\n", rank, d.own.count);
    free(d.own.items);
    free(d.leaving[0].items);
    free(d.leaving[1].items);
    MPI_Type_free(&d.type);
    MPI_Finalize();
    return 0;
}
