#include "collectives.h"

#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "crossings.h"
#include "engine/engine.h"
#include "recent.h"
#include "session.h"

/* ---- who gives data to whom ---- */

static bool has_bytes(const struct call *call, int buffer, MPI_Count count, int block)
{
    if (count <= 0)
        return false;
    const struct routine_buffer *shape = &call->routine->buffers[buffer];
    MPI_Datatype type = call->routine->arguments[shape->type].role == ROLE_types
                            ? call_type_at(call, call->buffers[buffer].types, block)
                            : call->buffers[buffer].type;
    int size = 0;
    pmpi.Type_size(type, &size);
    return size != 0; /* MPI_UNDEFINED: too large for an int */
}

/* Whether the block of buffer i for (or from) that rank holds anything. */
static bool block_has_bytes(const struct call *call, int buffer, int block)
{
    const struct routine_buffer *shape = &call->routine->buffers[buffer];
    MPI_Count count = call->buffers[buffer].count;
    if (shape->count == NO_ARGUMENT)
        count = 1;
    else if (call->routine->arguments[shape->count].role == ROLE_counts)
        count = call->routine->large ? ((const MPI_Count *)call->buffers[buffer].counts)[block]
                                     : ((const int *)call->buffers[buffer].counts)[block];
    return has_bytes(call, buffer, count, block);
}

/* The buffer that tells what comes in: the last one; what goes out: the first one, unless it is
 * MPI_IN_PLACE. */
static int incoming(const struct call *call)
{
    return call->routine->nbuffers - 1;
}

static int outgoing(const struct call *call)
{
    return call->buffers[0].base == MPI_IN_PLACE ? incoming(call) : 0;
}

static bool is_sized_by_peer(const struct call *call, int buffer)
{
    enum blocks blocks = call->routine->buffers[buffer].blocks;
    return blocks == BLOCKS_size || blocks == BLOCKS_indegree || blocks == BLOCKS_outdegree;
}

static bool gives_all(const struct call *call, const struct comm *comm, int peer)
{
    if (call->routine->nbuffers == 0)
        return true; /* barriers and constructors */
    int buffer = outgoing(call);
    if (call->routine->buffers[0].blocks ==
        BLOCKS_sum) /* Reduce_scatter: counts[peer] goes there */
        return block_has_bytes(call, buffer, peer);
    if (is_sized_by_peer(call, 0)) /* Alltoall: a block for each */
        return block_has_bytes(call, buffer, peer);
    /* Allgather: the same for all; in place, what I give stands in my block of the receive buffer.
     */
    return block_has_bytes(call, buffer, buffer == 0 ? 0 : comm->rank);
}

static bool gets_all(const struct call *call, const struct comm *comm, int peer)
{
    if (call->routine->nbuffers == 0)
        return true;
    if (call->routine->buffers[0].blocks == BLOCKS_sum)
        return block_has_bytes(call, incoming(call), comm->rank);
    return block_has_bytes(call, incoming(call), peer);
}

static bool is_root(const struct call *call, const struct comm *comm)
{
    return comm->inter ? call->root == MPI_ROOT : call->root == comm->rank;
}

static bool is_from_root(const struct call *call, const struct comm *comm, int peer)
{
    return !is_root(call, comm) && call->root != MPI_PROC_NULL && peer == call->root;
}

/* Whether data flows from here to the peer, an index into comm->remote. Never to itself. */
static bool gives(const struct call *call, const struct comm *comm, int peer)
{
    if (!comm->inter && peer == comm->rank)
        return false;
    switch (call->routine->order) {
    case ORDER_all:
        return gives_all(call, comm, peer);
    case ORDER_from_root:
        return is_root(call, comm) && block_has_bytes(call, 0, peer);
    case ORDER_to_root:
        return is_from_root(call, comm, peer) && block_has_bytes(call, 0, 0);
    case ORDER_prefix:
        return peer > comm->rank && block_has_bytes(call, incoming(call), 0);
    default:
        return false;
    }
}

static bool gets(const struct call *call, const struct comm *comm, int peer)
{
    if (!comm->inter && peer == comm->rank)
        return false;
    switch (call->routine->order) {
    case ORDER_all:
        return gets_all(call, comm, peer);
    case ORDER_from_root:
        return is_from_root(call, comm, peer) && block_has_bytes(call, incoming(call), 0);
    case ORDER_to_root:
        return is_root(call, comm) && block_has_bytes(call, incoming(call), peer);
    case ORDER_prefix:
        return peer < comm->rank && block_has_bytes(call, incoming(call), 0);
    default:
        return false;
    }
}

/* ---- neighbours ---- */

/* The ranks of in- or out-neighbours, in the order of the blocks; MPI_PROC_NULL where a grid ends.
 * Allocated. */
static int *neighbours(const struct comm *comm, bool in, int *n)
{
    int topology = MPI_UNDEFINED, other = 0, weighted, dimensions = 0;
    *n = 0;
    pmpi.Topo_test(comm->handle, &topology);
    if (topology == MPI_CART) {
        pmpi.Cartdim_get(comm->handle, &dimensions);
        *n = 2 * dimensions;
    } else if (topology == MPI_GRAPH) {
        pmpi.Graph_neighbors_count(comm->handle, comm->rank, n);
    } else if (topology == MPI_DIST_GRAPH) {
        pmpi.Dist_graph_neighbors_count(comm->handle, in ? n : &other, in ? &other : n, &weighted);
    }
    int *ranks = malloc((4 * (*n + other) + 1) * sizeof *ranks);
    if (!ranks)
        return NULL;
    if (topology == MPI_CART) {
        for (int i = 0; i < dimensions; i++)
            pmpi.Cart_shift(comm->handle, i, 1, &ranks[2 * i], &ranks[2 * i + 1]);
    } else if (topology == MPI_GRAPH) {
        pmpi.Graph_neighbors(comm->handle, comm->rank, *n, ranks);
    } else if (topology == MPI_DIST_GRAPH) {
        int *others = ranks + *n, *weights = others + other;
        pmpi.Dist_graph_neighbors(comm->handle, in ? *n : other, in ? ranks : others, weights,
                                  in ? other : *n, in ? others : ranks, weights + *n + other);
    }
    return ranks;
}

/* ---- plans ---- */

static bool plan_allocate(struct collective_plan *plan, struct comm *comm, int sources,
                          int destinations)
{
    *plan = (struct collective_plan){.comm = comm};
    plan->sources = malloc((sources + 1) * sizeof *plan->sources);
    plan->destinations = malloc((destinations + 1) * sizeof *plan->destinations);
    return plan->sources && plan->destinations;
}

static void plan_clear(struct collective_plan *plan)
{
    free(plan->sources);
    free(plan->destinations);
    plan->sources = plan->destinations = NULL;
}

static bool plan_neighbours(struct collective_plan *plan, struct call *call, struct comm *comm)
{
    int nin, nout;
    int *in = neighbours(comm, true, &nin), *out = neighbours(comm, false, &nout);
    bool ok = plan_allocate(plan, comm, nin, nout) && in && out;
    for (int i = 0; ok && i < nout; i++)
        if (out[i] != MPI_PROC_NULL && block_has_bytes(call, 0, is_sized_by_peer(call, 0) ? i : 0))
            plan->destinations[plan->ndestinations++] = comm->members[out[i]];
    for (int i = 0; ok && i < nin; i++)
        if (in[i] != MPI_PROC_NULL && block_has_bytes(call, incoming(call), i))
            plan->sources[plan->nsources++] = comm->members[in[i]];
    free(in);
    free(out);
    return ok;
}

static bool plan_make(struct collective_plan *plan, struct call *call, struct comm *comm)
{
    if (call->routine->order == ORDER_neighbours)
        return plan_neighbours(plan, call, comm);
    if (!plan_allocate(plan, comm, comm->remote_size, comm->remote_size))
        return false;
    for (int peer = 0; peer < comm->remote_size; peer++) {
        if (gives(call, comm, peer))
            plan->destinations[plan->ndestinations++] = comm->remote[peer];
        if (gets(call, comm, peer))
            plan->sources[plan->nsources++] = comm->remote[peer];
    }
    return true;
}

/* Everybody to everybody, of both groups. */
static bool plan_all(struct collective_plan *plan, struct comm *comm)
{
    int most = comm->remote_size + comm->size;
    if (!plan_allocate(plan, comm, most, most))
        return false;
    for (int peer = 0; peer < comm->remote_size; peer++)
        if (comm->inter || peer != comm->rank)
            plan->sources[plan->nsources++] = comm->remote[peer];
    for (int peer = 0; comm->inter && peer < comm->size; peer++)
        if (peer != comm->rank)
            plan->sources[plan->nsources++] = comm->members[peer];
    memcpy(plan->destinations, plan->sources, plan->nsources * sizeof *plan->sources);
    plan->ndestinations = plan->nsources;
    return true;
}

/* ---- entering and leaving ---- */

/* The collective that was entered last on this communicator: all members count alike. */
static uint64_t topic_of(const struct comm *comm)
{
    return name_mix(comm->id, comm->collectives);
}

/* Gives the clocks out; takes the plan's sources over. */
static struct collective *follow(struct collective_plan *plan)
{
    struct collective *collective = calloc(1, sizeof *collective);
    if (collective) {
        collective->topic = topic_of(plan->comm);
        collective->sources = plan->sources;
        collective->nsources = plan->nsources;
        plan->sources = NULL;
        for (int i = 0; i < plan->ndestinations; i++)
            clock_post(plan->destinations[i], LETTER_COLLECTIVE, collective->topic, 0);
    }
    plan_clear(plan);
    return collective;
}

/* Whether every rank of the world gets something from every other, as all of them can tell alike.
 */
static bool is_world_wide(const struct call *call, const struct comm *comm)
{
    if (!comm->is_world || call->routine->order != ORDER_all)
        return false;
    if (call->routine->nbuffers == 0)
        return true;
    int last = incoming(call);
    const struct routine_buffer *shape = &call->routine->buffers[last];
    if (shape->count == NO_ARGUMENT || call->routine->arguments[shape->count].role == ROLE_count)
        return block_has_bytes(call, last, 0);
    /* Counts by rank are the same everywhere in Allgatherv and Reduce_scatter, not in Alltoallv and
     * w. */
    if (is_sized_by_peer(call, 0))
        return false;
    for (int peer = 0; peer < comm->size; peer++)
        if (!block_has_bytes(call, last, peer))
            return false;
    return true;
}

/* Only thread 0 makes such a call, one at a time: one object is enough, and a barrier costs no
 * allocation. */
static struct collective world = {.world = true};

/* Where another thread does, against the level of thread support, the two count as one: that orders
 * too much, never too little. */
static void become_one(uint32_t from, uint32_t to)
{
    struct clock clock = CLOCK_EMPTY;
    if (from == to)
        return;
    engine_release(session.engine, from, &clock);
    engine_acquire(session.engine, to, &clock);
    clock_clear(&clock);
}

static struct collective *enter_world(void)
{
    become_one(acting(), 0);
    engine_world_enter(session.engine);
    transport_world_enter();
    return &world;
}

/* Entered before anybody looked for races. When it is over that may be different, and others may
 * have sent clocks. */
static struct collective *enter_unwatched(const struct comm *comm)
{
    struct collective *collective = calloc(1, sizeof *collective);
    if (!collective) {
        session_give_up_races("no memory for a collective");
        return NULL;
    }
    collective->unwatched = true;
    collective->topic = topic_of(comm);
    return collective;
}

static void leave_unwatched(uint64_t topic)
{
    if (session.engine && !session.implicit_world)
        clocks_collect_topic(LETTER_COLLECTIVE, topic);
}

void collective_leave_unwatched(const struct comm *comm)
{
    leave_unwatched(topic_of(comm));
}

struct collective *collective_enter(struct call *call, bool blocking)
{
    struct comm *comm = comm_find(call->comm);
    if (!comm || comm->foreign)
        return NULL;
    /* Also those that need no clock, and before anybody looks for races: all must agree. */
    comm_count_collective(comm);
    if (!session.engine)
        return enter_unwatched(comm);
    if (blocking && session.implicit_world && is_world_wide(call, comm))
        return enter_world();
    struct collective_plan plan;
    if (plan_make(&plan, call, comm))
        return follow(&plan);
    plan_clear(&plan);
    session_give_up_races("no memory for a collective");
    return NULL;
}

struct collective_plan *collective_prepare(struct call *call)
{
    struct comm *comm = comm_find(call->comm);
    struct collective_plan *plan = comm && !comm->foreign ? malloc(sizeof *plan) : NULL;
    if (!plan)
        return NULL;
    if (!plan_make(plan, call, comm)) {
        plan_clear(plan);
        free(plan);
        return NULL;
    }
    comm_use(comm);
    return plan;
}

struct collective *collective_start(const struct collective_plan *plan)
{
    comm_count_collective(plan->comm);
    if (!session.engine)
        return enter_unwatched(plan->comm);
    struct collective_plan once;
    if (!plan_allocate(&once, plan->comm, plan->nsources, plan->ndestinations)) {
        plan_clear(&once);
        session_give_up_races("no memory for a collective");
        return NULL;
    }
    once.nsources = plan->nsources;
    once.ndestinations = plan->ndestinations;
    memcpy(once.sources, plan->sources, plan->nsources * sizeof *plan->sources);
    memcpy(once.destinations, plan->destinations, plan->ndestinations * sizeof *plan->destinations);
    return follow(&once);
}

void collective_unprepare(struct collective_plan *plan)
{
    if (!plan)
        return;
    comm_unuse(plan->comm);
    plan_clear(plan);
    free(plan);
}

struct collective *collective_enter_all(MPI_Comm handle, bool blocking)
{
    return collective_enter_all_of(comm_find(handle), blocking);
}

struct collective *collective_enter_all_of(struct comm *comm, bool blocking)
{
    if (!comm || comm->foreign)
        return NULL;
    comm_count_collective(comm);
    if (!session.engine)
        return enter_unwatched(comm);
    if (blocking && session.implicit_world && comm->is_world)
        return enter_world();
    struct collective_plan plan;
    if (plan_all(&plan, comm))
        return follow(&plan);
    plan_clear(&plan);
    session_give_up_races("no memory for a collective");
    return NULL;
}

void collective_leave(struct collective *collective)
{
    if (!collective)
        return;
    if (collective->unwatched) {
        leave_unwatched(collective->topic);
        collective_forget(collective);
        return;
    }
    clocks_drain();
    if (collective->world) {
        clocks_await_world();
        engine_world_leave(session.engine);
        recent_world();
        become_one(0, acting());
    }
    for (int i = 0; i < collective->nsources; i++) {
        clock_await(collective->sources[i], LETTER_COLLECTIVE, collective->topic, 0);
        clock_collect(collective->sources[i], LETTER_COLLECTIVE, collective->topic);
    }
    collective_forget(collective);
}

void collective_forget(struct collective *collective)
{
    if (!collective || collective == &world)
        return;
    free(collective->sources);
    free(collective);
}
