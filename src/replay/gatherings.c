/* Calls in which several processes meet. */
#include "mpi.h"

struct comm *comm_new(struct mpi *mpi, int size, const int *ranks)
{
    struct comm *comm = zeroed(1, sizeof *comm);
    comm->size = size;
    comm->ranks = zeroed((size_t)size, sizeof *comm->ranks);
    comm->turns = zeroed((size_t)size, sizeof *comm->turns);
    memcpy(comm->ranks, ranks, (size_t)size * sizeof *ranks);
    comm->number = (int)ADD(&mpi->comms, comm);
    return comm;
}

/* The n-th collective call of a member meets the n-th of all others. */
struct gathering *gathering_enter(struct call *c, struct comm *comm, int *mine)
{
    struct mpi *mpi = c->w->mpi;
    *mine = rank_in(comm, c->p->rank);
    uint64_t turn = comm->turns[*mine]++;
    struct gathering *gathering = NULL;
    for (size_t i = mpi->gatherings.n; i-- > 0 && !gathering;)
        if (mpi->gatherings.at[i]->comm == comm && mpi->gatherings.at[i]->turn == turn)
            gathering = mpi->gatherings.at[i];
    if (!gathering) {
        gathering = zeroed(1, sizeof *gathering);
        gathering->comm = comm;
        gathering->turn = turn;
        gathering->routine = c->function->routine;
        ADD(&mpi->gatherings, gathering);
    }
    const char *one = gathering->routine->name, *two = c->function->routine->name;
    if (strcmp(one, two) && !(!strncmp(one, "MPI_Init", 8) && !strncmp(two, "MPI_Init", 8)))
        stop(c->w, c->p, "%s meets %s", two, one);
    gathering->parts[*mine].entered = true;
    gathering->entered++;
    return gathering;
}

void gathering_learn(struct call *c, const struct gathering *gathering, int mine)
{
    for (int i = 0; i < gathering->comm->size; i++)
        if (i != mine)
            learn(c->p, &gathering->parts[i].clock);
}

bool all_together(struct call *c, struct comm *comm, const int64_t numbers[4], bool edges,
                  struct gathering **gathering, int *mine)
{
    if (c->p->phase == 0) {
        *gathering = gathering_enter(c, comm, mine);
        if (failed(c))
            return false;
        struct part *part = &(*gathering)->parts[*mine];
        memcpy(part->numbers, numbers, sizeof part->numbers);
        part->clock = clock_now(c->p);
        c->p->pending = (uint64_t)(uintptr_t)*gathering;
        c->p->phase = 1;
    }
    *gathering = (struct gathering *)(uintptr_t)c->p->pending;
    *mine = rank_in(comm, c->p->rank);
    if ((*gathering)->entered < comm->size)
        return false;
    if (edges)
        gathering_learn(c, *gathering, *mine);
    return true;
}

static void part_free(struct part *part)
{
    for (int i = 0; i < part->nblocks; i++)
        payload_free(&part->blocks[i]);
    free(part->blocks);
    free(part->clock.data);
}

static const struct numbers mpich = {.any_source = -2,
                                     .proc_null = -1,
                                     .any_tag = -1,
                                     .undefined = -32766,
                                     .exclusive = 234,
                                     .shared = 235,
                                     .no_precede = 8192,
                                     .no_succeed = 16384,
                                     .no_put = 4096,
                                     .no_store = 2048,
                                     .tag_ub = 0x64400001,
                                     .in_place = UINT64_MAX,
                                     .status_ignore = 1,
                                     .unweighted = 0,
                                     .win_base = 0x66000001,
                                     .win_size = 0x66000003,
                                     .win_disp_unit = 0x66000005,
                                     .handle = 4,
                                     .source = 8,
                                     .tag = 12,
                                     .error = 16,
                                     .count = 0,
                                     .status = 20,
                                     .order_c = 56,
                                     .comm_type_shared = 1};
static const struct numbers openmpi = {.any_source = -1,
                                       .proc_null = -2,
                                       .any_tag = -1,
                                       .undefined = -32766,
                                       .exclusive = 1,
                                       .shared = 2,
                                       .no_precede = 2,
                                       .no_succeed = 16,
                                       .no_put = 4,
                                       .no_store = 8,
                                       .tag_ub = 0,
                                       .in_place = 1,
                                       .status_ignore = 0,
                                       .unweighted = 2,
                                       .win_base = 7,
                                       .win_size = 8,
                                       .win_disp_unit = 9,
                                       .handle = 8,
                                       .source = 0,
                                       .tag = 4,
                                       .error = 8,
                                       .count = 16,
                                       .status = 24,
                                       .order_c = 0,
                                       .comm_type_shared = 0};

void mpi_open(struct world *w)
{
    struct mpi *mpi = zeroed(1, sizeof *mpi);
    int ranks[MOST_PROCESSES];
    w->mpi = mpi;
    mpi->numbers = w->openmpi ? openmpi : mpich;
    types_open(mpi);
    for (int i = 0; i < w->n; i++)
        ranks[i] = i;
    comm_new(mpi, w->n, ranks);
    for (int i = 0; i < w->n; i++)
        comm_new(mpi, 1, &ranks[i]);
    ADD(&mpi->groups, zeroed(1, sizeof(struct group)));
}

void mpi_close(struct world *w)
{
    struct mpi *mpi = w->mpi;
    for (size_t i = 0; i < mpi->types.n; i++) {
        EMPTY(&mpi->types.at[i]->pieces);
        free(mpi->types.at[i]);
    }
    for (size_t i = 0; i < mpi->comms.n; i++) {
        for (int k = 0; k < MOST_PROCESSES; k++) {
            EMPTY(&mpi->comms.at[i]->sources[k]);
            EMPTY(&mpi->comms.at[i]->destinations[k]);
        }
        free(mpi->comms.at[i]->ranks);
        free(mpi->comms.at[i]->turns);
        free(mpi->comms.at[i]);
    }
    for (size_t i = 0; i < mpi->groups.n; i++) {
        EMPTY(&mpi->groups.at[i]->ranks);
        free(mpi->groups.at[i]);
    }
    for (size_t i = 0; i < mpi->gatherings.n; i++) {
        for (int k = 0; k < MOST_PROCESSES; k++)
            part_free(&mpi->gatherings.at[i]->parts[k]);
        free(mpi->gatherings.at[i]);
    }
    requests_close(mpi);
    windows_close(mpi);
    EMPTY(&mpi->types);
    EMPTY(&mpi->comms);
    EMPTY(&mpi->groups);
    EMPTY(&mpi->gatherings);
    EMPTY(&mpi->infos);
    free(mpi);
    w->mpi = NULL;
}
