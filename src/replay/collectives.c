/* Collectives: who brings what to whom. Data moves as MPI says; edges follow the data. */
#include "mpi.h"

enum pattern {
    BARRIER,
    BCAST,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    SCAN,
    EXSCAN,
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLTOALL,
    PATTERNS
};

/* A buffer as blocks. */
struct block_row {
    bool in_place, none;
    int n;
    section_row *at;
};

struct collective_call {
    enum pattern pattern;
    int mine, root;
    int op;
    const struct datatype *type;
    struct block_row send, receive;
    struct gathering *gathering;
};

static bool starts(const char *text, const char *with)
{
    return !strncasecmp(text, with, strlen(with));
}

static enum pattern pattern_of(const struct routine *routine)
{
    static const struct {
        const char *name;
        enum pattern pattern;
    } names[] = {{"Barrier", BARRIER},
                 {"Bcast", BCAST},
                 {"Gather", GATHER},
                 {"Scatter", SCATTER},
                 {"Allgather", ALLGATHER},
                 {"Alltoall", ALLTOALL},
                 {"Reduce_scatter", REDUCE_SCATTER},
                 {"Reduce", REDUCE},
                 {"Allreduce", ALLREDUCE},
                 {"Scan", SCAN},
                 {"Exscan", EXSCAN},
                 {"Neighbor_allgather", NEIGHBOR_ALLGATHER},
                 {"Neighbor_alltoall", NEIGHBOR_ALLTOALL}};
    const char *name = routine->name + 4;
    if (routine->verb == VERB_starts)
        name++; /* the I */
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (starts(name, names[i].name))
            return names[i].pattern;
    return PATTERNS;
}

static void blocks_free(struct block_row *blocks)
{
    for (int i = 0; i < blocks->n; i++)
        EMPTY(&blocks->at[i]);
    free(blocks->at);
    *blocks = (struct block_row){0};
}

static enum role role_at(const struct call *c, int i)
{
    return c->function->routine->arguments[i].role;
}

static int64_t shape_number(struct call *c, int argument, int64_t i)
{
    enum role role = role_at(c, argument);
    if (role == ROLE_count)
        return number_at(c, argument);
    return element_at(c, address_at(c, argument), i, role == ROLE_displs_aint ? 8 : 4);
}

static const struct datatype *shape_type(struct call *c, int argument, int64_t i)
{
    const struct datatype *type = NULL;
    uint64_t handle =
        role_at(c, argument) == ROLE_types
            ? (uint64_t)element_at(c, address_at(c, argument), i, c->w->mpi->numbers.handle)
            : address_at(c, argument);
    if (!c->w->openmpi)
        handle &= UINT32_MAX;
    if (failed(c) || !type_of(c, handle, &type))
        return NULL;
    return type;
}

static int block_count(const struct collective_call *call, const struct comm *comm,
                       enum blocks kind)
{
    switch (kind) {
    case BLOCKS_size:
    case BLOCKS_localsize:
    case BLOCKS_sum:
        return comm->size;
    case BLOCKS_indegree:
        return (int)comm->sources[call->mine].n;
    case BLOCKS_outdegree:
        return (int)comm->destinations[call->mine].n;
    default:
        return 1;
    }
}

static void read_blocks(struct call *c, struct collective_call *call, const struct comm *comm,
                        const struct routine_buffer *shape, struct block_row *blocks)
{
    uint64_t address = address_at(c, shape->argument), next = address;
    enum blocks kind = (enum blocks)shape->blocks;
    if (failed(c))
        return;
    if (address == c->w->mpi->numbers.in_place) {
        blocks->in_place = true;
        return;
    }
    int n = block_count(call, comm, kind);
    blocks->n = n;
    blocks->at = zeroed((size_t)n, sizeof *blocks->at);
    for (int i = 0; i < n && !failed(c); i++) {
        int64_t which = kind == BLOCKS_mine ? call->mine : i;
        int64_t count = shape_number(c, shape->count, which);
        const struct datatype *type = shape_type(c, shape->type, which);
        if (!type || failed(c))
            return;
        uint64_t at = next;
        if (shape->displs != NO_ARGUMENT) {
            int64_t displacement = shape_number(c, shape->displs, which);
            at = address + (uint64_t)(role_at(c, shape->displs) == ROLE_displs
                                          ? displacement * type->extent
                                          : displacement);
        }
        if (count < 0) {
            wrong(c);
            return;
        }
        type_sections(c, type, at, count, &blocks->at[i]);
        next = at + (uint64_t)(count * type->extent);
        call->type = type;
    }
    for (int i = 0; i < n && !failed(c); i++)
        if (!sections_alive(c->w, c->p, &blocks->at[i]))
            stop(c->w, c->p, "a buffer that is not the program's memory");
}

/* Which of the buffers this process uses, and how. */
static void read_buffers(struct call *c, struct collective_call *call, const struct comm *comm)
{
    const struct routine *routine = c->function->routine;
    bool root = call->root == call->mine;
    for (int i = 0; i < routine->nbuffers && !failed(c); i++) {
        const struct routine_buffer *shape = &routine->buffers[i];
        if (shape->at_root && !root)
            continue;
        if (call->pattern == EXSCAN && call->mine == 0 && shape->role == ROLE_write)
            continue; /* not significant at the first */
        bool send = shape->role == ROLE_read || (shape->role == ROLE_bcast && root);
        read_blocks(c, call, comm, shape, send ? &call->send : &call->receive);
    }
}

static void row_join(section_row *to, const section_row *from)
{
    for (size_t i = 0; i < from->n; i++)
        ADD(to, from->at[i]);
}

static section_row all_sections(const struct block_row *blocks)
{
    section_row row = {0};
    for (int i = 0; i < blocks->n; i++)
        row_join(&row, &blocks->at[i]);
    return row;
}

/* What this process brings: blocks for others, or one for all. */
static void bring(struct call *c, struct collective_call *call, struct part *part)
{
    const struct block_row *from = &call->send;
    section_row whole = {0};
    bool reduces = call->pattern == REDUCE || call->pattern == ALLREDUCE || call->pattern == SCAN ||
                   call->pattern == EXSCAN || call->pattern == REDUCE_SCATTER;
    if (call->send.in_place)
        from = &call->receive;
    bool own_block = call->send.in_place && (call->pattern == GATHER || call->pattern == ALLGATHER);
    if (own_block || reduces) {
        if (own_block && call->mine < from->n)
            row_join(&whole, &from->at[call->mine]);
        else if (reduces)
            whole = all_sections(from);
        part->nblocks = 1;
        part->blocks = zeroed(1, sizeof *part->blocks);
        part->blocks[0] = payload_read(c->w, &whole);
        EMPTY(&whole);
        return;
    }
    part->nblocks = from->n;
    part->blocks = zeroed((size_t)from->n, sizeof *part->blocks);
    for (int i = 0; i < from->n; i++)
        part->blocks[i] = payload_read(c->w, &from->at[i]);
}

/* Whose part this process needs to be complete. */
static bool needs(const struct collective_call *call, const struct comm *comm, int other)
{
    switch (call->pattern) {
    case BCAST:
    case SCATTER:
        return other == call->root;
    case GATHER:
    case REDUCE:
        return call->mine == call->root;
    case SCAN:
    case EXSCAN:
        return other < call->mine;
    case NEIGHBOR_ALLGATHER:
    case NEIGHBOR_ALLTOALL:
        for (size_t i = 0; i < comm->sources[call->mine].n; i++)
            if (comm->sources[call->mine].at[i] == other)
                return true;
        return false;
    default:
        return true;
    }
}

/* The block of `other` that comes here, NULL if there is none. */
static const struct payload *block_from(const struct collective_call *call, const struct comm *comm,
                                        int other, int slot)
{
    const struct part *part = &call->gathering->parts[other];
    int which = 0;
    if (call->pattern == SCATTER || call->pattern == ALLTOALL)
        which = call->mine;
    if (call->pattern == NEIGHBOR_ALLTOALL) {
        int times = 0; /* the n-th edge between the two is the n-th of both */
        which = -1;
        for (int i = 0; i <= slot; i++)
            times += comm->sources[call->mine].at[i] == other;
        for (size_t i = 0; i < comm->destinations[other].n && times; i++)
            if (comm->destinations[other].at[i] == call->mine && --times == 0)
                which = (int)i;
        if (comm->cartesian && which >= 0) /* what goes down arrives from above */
            which = slot ^ 1;
    }
    return which >= 0 && which < part->nblocks ? &part->blocks[which] : NULL;
}

static bool carries(const struct collective_call *call, const struct comm *comm, int other)
{
    if (call->pattern == BARRIER)
        return true;
    if (call->pattern == REDUCE_SCATTER) {
        for (int i = 0; i < call->receive.n; i++)
            if (call->receive.at[i].n)
                return true;
        return false;
    }
    if (call->pattern == NEIGHBOR_ALLTOALL) {
        for (size_t i = 0; i < comm->sources[call->mine].n; i++)
            if (comm->sources[call->mine].at[i] == other) {
                const struct payload *block = block_from(call, comm, other, (int)i);
                if (block && block->size)
                    return true;
            }
        return false;
    }
    const struct payload *block = block_from(call, comm, other, 0);
    return block && block->size;
}

bool collective_ready(const struct request *request)
{
    const struct collective_call *call = request->collective;
    const struct comm *comm = call->gathering->comm;
    for (int i = 0; i < comm->size; i++)
        if (i != call->mine && needs(call, comm, i) && !call->gathering->parts[i].entered)
            return false;
    return true;
}

static void write_reduced(struct call *c, const struct collective_call *call, int from, int to)
{
    const struct gathering *g = call->gathering;
    struct payload sum = {0};
    section_row whole = all_sections(&call->receive);
    for (int i = from; i < to; i++) {
        if (!sum.bytes)
            sum = payload_copy(&g->parts[i].blocks[0]);
        else
            payload_reduce(&sum, &g->parts[i].blocks[0], call->op, call->type);
    }
    if (call->pattern == REDUCE_SCATTER && sum.bytes) {
        uint64_t start = 0, length = 0;
        if (call->send
                .in_place) /* the receive buffer was read as a whole; mine is behind those before */
            stop(c->w, c->p, "MPI_IN_PLACE in a reduce-scatter");
        for (int i = 0; i < call->mine; i++)
            for (size_t k = 0; k < call->send.at[i].n; k++)
                start += section_bytes(&call->send.at[i].at[k]);
        for (size_t k = 0; k < whole.n; k++)
            length += section_bytes(&whole.at[k]);
        if (start + length <= sum.size) {
            memmove(sum.bytes, sum.bytes + start, length);
            memmove(sum.known, sum.known + start, length);
            sum.size = length;
        }
    }
    if (sum.bytes)
        payload_write(c->w, &sum, &whole);
    payload_free(&sum);
    EMPTY(&whole);
}

static void write_results(struct call *c, const struct collective_call *call)
{
    const struct comm *comm = call->gathering->comm;
    bool root = call->mine == call->root;
    switch (call->pattern) {
    case BARRIER:
        return;
    case REDUCE:
        if (root)
            write_reduced(c, call, 0, comm->size);
        return;
    case ALLREDUCE:
    case REDUCE_SCATTER:
        write_reduced(c, call, 0, comm->size);
        return;
    case SCAN:
        write_reduced(c, call, 0, call->mine + 1);
        return;
    case EXSCAN:
        if (call->mine)
            write_reduced(c, call, 0, call->mine);
        return;
    case BCAST:
        if (root)
            return;
        break;
    default:
        break;
    }
    for (int i = 0; i < call->receive.n; i++) {
        int other = i;
        if (call->pattern == BCAST || call->pattern == SCATTER)
            other = call->root;
        if (call->pattern >= NEIGHBOR_ALLGATHER)
            other = comm->sources[call->mine].at[i];
        if (other < 0)
            continue;
        const struct payload *block = block_from(call, comm, other, i);
        if (block)
            payload_write(c->w, block, &call->receive.at[i]);
    }
}

/* What the blocks are to the program: MPI_IN_PLACE is read and written. */
static section_row touched(const struct collective_call *call, bool write)
{
    return all_sections(!write && call->send.in_place ? &call->receive
                        : write                       ? &call->receive
                                                      : &call->send);
}

void collective_finish(struct call *c, struct request *request)
{
    struct collective_call *call = request->collective;
    const struct comm *comm = call->gathering->comm;
    for (int i = 0; i < comm->size; i++)
        if (i != call->mine && needs(call, comm, i) && carries(call, comm, i))
            learn(c->p, &call->gathering->parts[i].clock);
    if (request->routine->verb == VERB_blocking) {
        section_row row = touched(call, true);
        judge_sections(c->w, c->p, row.at, row.n, true, request->site, request->routine);
        EMPTY(&row);
    }
    write_results(c, call);
    blocks_free(&call->send);
    blocks_free(&call->receive);
}

static void begin(struct call *c, struct request *request)
{
    struct collective_call *call = request->collective;
    const struct routine *routine = request->routine;
    bool blocking = routine->verb == VERB_blocking;
    section_row read = touched(call, false), write = touched(call, true);
    struct gathering *g = call->gathering;
    if (blocking) {
        judge_sections(c->w, c->p, read.at, read.n, false, request->site, routine);
    } else {
        if (read.n && !call->send.in_place)
            request->uses[0] =
                judge_use(c->w, c->p, read.at, read.n, false, request->site, routine);
        if (write.n)
            request->uses[1] =
                judge_use(c->w, c->p, write.at, write.n, true, request->site, routine);
        c->w->interesting = true;
    }
    bring(c, call, &g->parts[call->mine]);
    g->parts[call->mine].clock = clock_now(c->p);
    request->active = true;
    EMPTY(&read);
    EMPTY(&write);
}

/* Reads the arguments and enters. */
static bool enter(struct call *c, struct request *request)
{
    const struct routine *routine = c->function->routine;
    struct comm *comm = comm_with(c);
    if (!comm)
        return false;
    free(request->collective);
    struct collective_call *call = request->collective = zeroed(1, sizeof *call);
    call->pattern = pattern_of(routine);
    call->mine = rank_in(comm, c->p->rank);
    call->root = argument_with(c, ROLE_root) >= 0 ? (int)number_with(c, ROLE_root) : -1;
    int op = argument_with(c, ROLE_op) >= 0 ? object_of(c, KIND_OP, address_with(c, ROLE_op))
                                            : OP_UNKNOWN;
    call->op = op < 0 ? OP_UNKNOWN : op;
    if (!failed(c) && argument_with(c, ROLE_root) >= 0 &&
        (call->root < 0 || call->root >= comm->size))
        wrong(c);
    if (!failed(c))
        read_buffers(c, call, comm);
    if (failed(c))
        return false;
    int mine;
    call->gathering = gathering_enter(c, comm, &mine);
    if (!failed(c))
        begin(c, request);
    return !failed(c);
}

/* A persistent one: with the arguments of the call that made it. */
void collective_start(struct call *c, struct request *request)
{
    struct call made = *c;
    made.site = request->made_at;
    made.function = request->made_by;
    made.n = request->narguments;
    memcpy(made.arguments, request->arguments,
           (size_t)request->narguments * sizeof made.arguments[0]);
    enter(&made, request);
}

enum outcome collective_call(struct call *c)
{
    const struct routine *routine = c->function->routine;
    struct request *request;
    if (routine->large || pattern_of(routine) == PATTERNS)
        return STOPS;
    if (c->p->phase == 0) {
        request = request_new(c, REQUEST_COLLECTIVE);
        request->persistent = routine->verb == VERB_prepares;
        if (!request->persistent && !enter(c, request))
            return STOPS;
        if (routine->verb != VERB_blocking) {
            store_handle(c, address_with(c, ROLE_new_request), KIND_REQUEST, request->number);
            return failed(c) ? STOPS : OVER;
        }
        c->p->pending = request->number;
        c->p->phase = 1;
    }
    request = c->w->mpi->requests.at[c->p->pending];
    if (!collective_ready(request))
        return WAITS;
    request_finish(c, request, c->w->mpi->numbers.status_ignore);
    return failed(c) ? STOPS : OVER;
}
