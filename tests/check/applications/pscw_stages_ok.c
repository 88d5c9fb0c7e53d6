/* expect: none */
/* A pipeline of stages, each writes into the next one's inbox; the inbox is read before the exposure is over. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8 };

struct stage {
    int rank, size;
    double *inbox, outbox[ITEMS];
    MPI_Group before, after;
    MPI_Win win;
};

static MPI_Group only(int rank)
{
    MPI_Group world, one;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &rank, &one);
    MPI_Group_free(&world);
    return one;
}

static int stage_open(struct stage *s)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->size);
    if (s->size < 2)
        return -1;
    s->inbox = calloc(ITEMS, sizeof(double));
    if (!s->inbox)
        return -1;
    MPI_Win_create(s->inbox, ITEMS * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &s->win);
    s->before = s->rank > 0 ? only(s->rank - 1) : MPI_GROUP_NULL;
    s->after = s->rank + 1 < s->size ? only(s->rank + 1) : MPI_GROUP_NULL;
    return 0;
}

static void produce(struct stage *s, int round)
{
    for (int i = 0; i < ITEMS; i++)
        s->outbox[i] = round * 100 + i;
}

static void transform(struct stage *s)
{
    for (int i = 0; i < ITEMS; i++)
        s->outbox[i] = 2 * s->inbox[i];
}

static void hand_over(struct stage *s)
{
    MPI_Win_start(s->after, 0, s->win);
    MPI_Put(s->outbox, ITEMS, MPI_DOUBLE, s->rank + 1, 0, ITEMS, MPI_DOUBLE, s->win);
    MPI_Win_complete(s->win);
}

static void round_of(struct stage *s, int round)
{
    if (s->before == MPI_GROUP_NULL) {
        produce(s, round);
    } else {
        MPI_Win_post(s->before, 0, s->win);
        MPI_Win_wait(s->win);
        transform(s);
    }
    if (s->after != MPI_GROUP_NULL)
        hand_over(s);
}

static void stage_close(struct stage *s)
{
    if (s->before != MPI_GROUP_NULL)
        MPI_Group_free(&s->before);
    if (s->after != MPI_GROUP_NULL)
        MPI_Group_free(&s->after);
    MPI_Win_free(&s->win);
    free(s->inbox);
}

int main(int argc, char **argv)
{
    struct stage s;
    MPI_Init(&argc, &argv);
    if (stage_open(&s) != 0) {
        fprintf(stderr, "cannot start\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int round = 0; round < 3; round++)
        round_of(&s, round);
    stage_close(&s);
    MPI_Finalize();
    return 0;
}
