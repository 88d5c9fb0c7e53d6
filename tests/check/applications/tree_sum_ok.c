/* expect: none */
/* A sum over a binary tree; both children's parts are received into one variable. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CHILDREN = 2, TAG_UP = 21, TAG_DOWN = 22 };

struct tree {
    int rank, size, parent, children[MOST_CHILDREN], nchildren;
};

static void tree_build(struct tree *t)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->size);
    t->parent = t->rank ? (t->rank - 1) / 2 : -1;
    t->nchildren = 0;
    for (int i = 1; i <= MOST_CHILDREN; i++)
        if (2 * t->rank + i < t->size)
            t->children[t->nchildren++] = 2 * t->rank + i;
}

static double tree_reduce(const struct tree *t, double mine)
{
    double parts[MOST_CHILDREN] = {0, 0};
    MPI_Request requests[MOST_CHILDREN];
    for (int i = 0; i < t->nchildren; i++)
        MPI_Irecv(&parts[i], 1, MPI_DOUBLE, t->children[i], TAG_UP, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(t->nchildren, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < t->nchildren; i++)
        mine += parts[i];
    if (t->parent >= 0)
        MPI_Send(&mine, 1, MPI_DOUBLE, t->parent, TAG_UP, MPI_COMM_WORLD);
    return mine;
}

static double tree_broadcast(const struct tree *t, double value)
{
    MPI_Request requests[MOST_CHILDREN];
    if (t->parent >= 0)
        MPI_Recv(&value, 1, MPI_DOUBLE, t->parent, TAG_DOWN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < t->nchildren; i++)
        MPI_Isend(&value, 1, MPI_DOUBLE, t->children[i], TAG_DOWN, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(t->nchildren, requests, MPI_STATUSES_IGNORE);
    return value;
}

int main(int argc, char **argv)
{
    struct tree t;
    double sum = 0;
    MPI_Init(&argc, &argv);
    tree_build(&t);
    for (int i = 1; i <= 1000; i++)
        sum += 1.0 / (i + t.rank);
    sum = tree_broadcast(&t, tree_reduce(&t, sum));
    if (t.rank == t.size - 1)
        printf("%.10g\n", sum);
    MPI_Finalize();
    return 0;
}
