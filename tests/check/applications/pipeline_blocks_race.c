/* expect-sources: local-race A B */
/* expect-sources: local-race A C */
/* expect-sources: local-race A D */
/* A pipeline of processes passes blocks on; the slot is waited for after it has been filled again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 256
#define SLOTS 2

typedef struct {
    double data[BLOCK];
    int number;
} block_t;

typedef struct {
    int rank, size, prev, next;
    block_t slots[SLOTS];
    MPI_Request sent[SLOTS];
} stage_t;

static int transform(const stage_t *s, block_t *b)
{
    if (b->number < 0)
        return -1;
    for (int i = 0; i < BLOCK; i++)
        b->data[i] = b->data[i] * 1.5 + s->rank;
    return 0;
}

static int fetch(stage_t *s, block_t *b, int number)
{
    if (s->prev == MPI_PROC_NULL) {
        for (int i = 0; i < BLOCK; i++)
            b->data[i] = number + i; /* B */
        b->number = number; /* C */
        return 0;
    }
    return MPI_Recv(b, sizeof *b, MPI_BYTE, s->prev, number, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 0 : -1; /* D */
}

static void stage_init(stage_t *s)
{
    memset(s, 0, sizeof *s);
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->size);
    s->prev = s->rank == 0 ? MPI_PROC_NULL : s->rank - 1;
    s->next = s->rank == s->size - 1 ? MPI_PROC_NULL : s->rank + 1;
    for (int i = 0; i < SLOTS; i++)
        s->sent[i] = MPI_REQUEST_NULL;
}

static int stage_run(stage_t *s, int blocks)
{
    for (int k = 0; k < blocks; k++) {
        block_t *b = &s->slots[k % SLOTS];
        if (fetch(s, b, k) != 0)
            return -1;
        MPI_Wait(&s->sent[k % SLOTS], MPI_STATUS_IGNORE);
        if (transform(s, b) != 0)
            return -1;
        if (s->next != MPI_PROC_NULL)
            MPI_Isend(b, sizeof *b, MPI_BYTE, s->next, k, MPI_COMM_WORLD, &s->sent[k % SLOTS]); /* A */
    }
    MPI_Waitall(SLOTS, s->sent, MPI_STATUSES_IGNORE);
    return 0;
}

int main(int argc, char **argv)
{
    stage_t *s = malloc(sizeof *s);
    int blocks = 10;
    MPI_Init(&argc, &argv);
    if (s == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (argc == 2)
        blocks = (int)strtol(argv[1], NULL, 10);
    stage_init(s);
    if (stage_run(s, blocks) != 0) {
        fprintf(stderr, "stage %d failed\n", s->rank);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    printf("%d: %g\n", s->rank, s->slots[0].data[0]);
    free(s);
    MPI_Finalize();
    return 0;
}
