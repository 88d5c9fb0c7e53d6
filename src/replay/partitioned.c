/* Partitioned communication: parts of a send are in use from MPI_Pready on, parts of a receive
 * until MPI_Parrived tells of them; the two ends may cut the data differently. Data comes in when
 * it is seen: before that nobody may look. */
#include "mpi.h"

struct partition {
    section_row sections;
    struct use *use;
    bool seen; /* of a receive: it has arrived, and the process knows */
};

/* What a send has handed over between a start and its completion. */
struct round {
    struct payload *parts;
    struct bytes *clocks;
    bool *ready;
    int left;
};

struct partitioned {
    int n;
    uint64_t size; /* bytes of one partition */
    struct partition *parts;
    struct request *partner;
    size_t started;
    ROW(struct round) rounds; /* of a send */
};

static bool is_send(const struct request *request)
{
    return request->routine->object == OBJECT_partitioned_send;
}

/* ---- Both ends are made ---- */

static bool read_partitions(struct call *c, struct request *request)
{
    const struct routine *routine = c->function->routine;
    const struct routine_buffer *shape = &routine->buffers[0];
    const struct datatype *type;
    int64_t n = number_with(c, ROLE_partitions), count = number_at(c, shape->count);
    uint64_t address = address_at(c, shape->argument);
    request->comm = comm_with(c);
    request->peer = (int)number_with(c, ROLE_dest);
    request->tag = (int)number_with(c, ROLE_tag);
    if (failed(c) || !type_of(c, address_at(c, shape->type), &type))
        return false;
    if (n < 1 || n > 1 << 16 || count < 0) {
        stop(c->w, c->p, "a number of partitions");
        return false;
    }
    bool nobody = request->peer == c->w->mpi->numbers.proc_null;
    if (!nobody && (request->peer < 0 || request->peer >= request->comm->size)) {
        wrong(c);
        return false;
    }
    struct partitioned *p = request->partitioned = zeroed(1, sizeof *p);
    p->n = (int)n;
    p->size = (uint64_t)(count * type->size);
    p->parts = zeroed((size_t)n, sizeof *p->parts);
    for (int64_t i = 0; i < n && !failed(c) && !nobody; i++) {
        section_row *sections = &p->parts[i].sections;
        type_sections(c, type, address + (uint64_t)(i * count * type->extent), count, sections);
        if (!failed(c) && !sections_alive(c->w, c->p, sections))
            stop(c->w, c->p, "a buffer that is not the program's memory");
    }
    return !failed(c);
}

/* Ends meet in the order in which they were made. */
static void find_partner(struct call *c, struct request *request)
{
    struct mpi *mpi = c->w->mpi;
    int me = rank_in(request->comm, c->p->rank);
    for (size_t i = 0; i < mpi->requests.n; i++) {
        struct request *other = mpi->requests.at[i];
        if (!other->partitioned || other->partitioned->partner || other == request ||
            is_send(other) == is_send(request) || other->comm != request->comm ||
            other->tag != request->tag || other->peer != me ||
            rank_in(other->comm, other->process->rank) != request->peer)
            continue;
        if (other->partitioned->size * (uint64_t)other->partitioned->n !=
            request->partitioned->size * (uint64_t)request->partitioned->n) {
            wrong(c);
            return;
        }
        other->partitioned->partner = request;
        request->partitioned->partner = other;
        return;
    }
}

static enum outcome make(struct call *c)
{
    struct request *request = request_new(c, REQUEST_PARTITIONED);
    if (c->function->routine->large || !read_partitions(c, request))
        return STOPS;
    request->persistent = true;
    if (request->peer != c->w->mpi->numbers.proc_null)
        find_partner(c, request);
    store_handle(c, address_with(c, ROLE_new_request), KIND_REQUEST, request->number);
    return failed(c) ? STOPS : OVER;
}

void partitioned_start(struct call *c, struct request *request)
{
    struct partitioned *p = request->partitioned;
    request->active = true;
    c->w->interesting = true;
    p->started++;
    if (request->peer == c->w->mpi->numbers.proc_null)
        return;
    if (is_send(request)) {
        struct round round = {.left = p->n};
        round.parts = zeroed((size_t)p->n, sizeof *round.parts);
        round.clocks = zeroed((size_t)p->n, sizeof *round.clocks);
        round.ready = zeroed((size_t)p->n, sizeof *round.ready);
        ADD(&p->rounds, round);
        return;
    }
    for (int i = 0; i < p->n; i++) {
        struct partition *part = &p->parts[i];
        part->seen = false;
        if (part->sections.n)
            part->use = judge_use(c->w, c->p, part->sections.at, part->sections.n, true,
                                  request->site, request->routine);
    }
}

/* ---- What is handed over ---- */

static void hand_over(struct call *c, struct request *request, int64_t i)
{
    struct partitioned *p = request->partitioned;
    if (i < 0 || i >= p->n || !request->active || !is_send(request)) {
        wrong(c);
        return;
    }
    if (request->peer == c->w->mpi->numbers.proc_null)
        return;
    struct round *round = &p->rounds.at[p->started - 1];
    struct partition *part = &p->parts[i];
    if (round->ready[i]) {
        wrong(c);
        return;
    }
    round->ready[i] = true;
    round->left--;
    round->parts[i] = payload_read(c->w, &part->sections);
    round->clocks[i] = clock_now(c->p);
    if (part->sections.n)
        part->use = judge_use(c->w, c->p, part->sections.at, part->sections.n, false,
                              site_here(c->w, c->p, request->routine, NULL), request->routine);
}

static struct request *request_with(struct call *c)
{
    uint64_t handle = address_with(c, ROLE_request_value);
    int number = failed(c) ? -1 : object_of(c, KIND_REQUEST, handle);
    struct request *request = number < 0 || failed(c) ? NULL : c->w->mpi->requests.at[number];
    return request && request->partitioned ? request : NULL;
}

static enum outcome make_ready(struct call *c)
{
    struct request *request = request_with(c);
    if (!request)
        return STOPS;
    switch (c->function->routine->object) {
    case OBJECT_range: {
        int64_t low = number_with(c, ROLE_low), high = number_with(c, ROLE_high);
        for (int64_t i = low; i <= high && !failed(c) && !c->w->illegal; i++)
            hand_over(c, request, i);
        break;
    }
    case OBJECT_list: {
        int64_t n = number_with(c, ROLE_length);
        uint64_t list = address_with(c, ROLE_list);
        for (int64_t i = 0; i < n && !failed(c) && !c->w->illegal; i++) {
            int64_t which = element_at(c, list, i, 4);
            if (!failed(c))
                hand_over(c, request, which);
        }
        break;
    }
    default: {
        int64_t which = number_with(c, ROLE_partition);
        if (!failed(c))
            hand_over(c, request, which);
        break;
    }
    }
    return failed(c) ? STOPS : OVER;
}

/* ---- … and seen ---- */

/* The parts of the send that partition i of the receive consists of: first to last. */
static void parts_of(const struct partitioned *to, const struct partitioned *from, int i,
                     int *first, int *last)
{
    uint64_t start = (uint64_t)i * to->size, end = start + to->size;
    *first = from->size ? (int)(start / from->size) : 0;
    *last = from->size && end > start ? (int)((end - 1) / from->size) : *first;
}

static const struct round *round_of(const struct request *receive)
{
    const struct request *send = receive->partitioned->partner;
    size_t number = receive->partitioned->started;
    return send && number && send->partitioned->rounds.n >= number
               ? &send->partitioned->rounds.at[number - 1]
               : NULL;
}

static bool has_arrived(const struct request *receive, int i)
{
    const struct round *round = round_of(receive);
    int first, last;
    if (!round)
        return false;
    parts_of(receive->partitioned, receive->partitioned->partner->partitioned, i, &first, &last);
    for (int k = first; k <= last; k++)
        if (!round->ready[k])
            return false;
    return true;
}

static void see(struct call *c, struct request *receive, int i)
{
    struct partitioned *to = receive->partitioned;
    const struct partitioned *from = to->partner->partitioned;
    const struct round *round = round_of(receive);
    struct partition *part = &to->parts[i];
    int first, last;
    if (part->seen)
        return;
    part->seen = true;
    judge_use_end(c->w, part->use);
    part->use = NULL;
    parts_of(to, from, i, &first, &last);
    struct payload whole = {zeroed(to->size, 1), zeroed(to->size, 1), to->size};
    for (int k = first; k <= last; k++) {
        learn(c->p, &round->clocks[k]);
        for (uint64_t b = 0; b < from->size; b++) {
            uint64_t at = (uint64_t)k * from->size + b - (uint64_t)i * to->size;
            if (at < to->size) {
                whole.bytes[at] = round->parts[k].bytes[b];
                whole.known[at] = round->parts[k].known[b];
            }
        }
    }
    payload_write(c->w, &whole, &part->sections);
    payload_free(&whole);
}

static enum outcome ask_arrived(struct call *c)
{
    struct request *request = request_with(c);
    int64_t i = number_with(c, ROLE_partition);
    uint64_t flag = address_with(c, ROLE_flag);
    if (!request || failed(c))
        return STOPS;
    if (i < 0 || i >= request->partitioned->n || is_send(request))
        return wrong(c);
    bool nobody = request->peer == c->w->mpi->numbers.proc_null;
    bool arrived = !request->active || nobody || has_arrived(request, (int)i);
    if (arrived && request->active && !nobody)
        see(c, request, (int)i);
    c->p->spins = arrived ? 0 : c->p->spins + 1;
    store_number(c, flag, 4, arrived);
    return failed(c) ? STOPS : OVER;
}

/* ---- Completion ---- */

bool partitioned_ready(struct world *w, const struct request *request)
{
    const struct partitioned *p = request->partitioned;
    if (request->peer == w->mpi->numbers.proc_null)
        return true;
    if (is_send(request))
        return p->rounds.at[p->started - 1].left == 0;
    const struct round *round = round_of(request);
    return round && round->left == 0;
}

void partitioned_finish(struct call *c, struct request *request)
{
    struct partitioned *p = request->partitioned;
    bool nobody = request->peer == c->w->mpi->numbers.proc_null;
    request->source = request->peer;
    request->got_tag = nobody ? c->w->mpi->numbers.any_tag : request->tag;
    request->bytes = nobody ? 0 : p->size * (uint64_t)p->n;
    for (int i = 0; i < p->n && !nobody; i++) {
        if (!is_send(request))
            see(c, request, i);
        judge_use_end(c->w, p->parts[i].use);
        p->parts[i].use = NULL;
    }
}

void partitioned_close(struct partitioned *p)
{
    if (!p)
        return;
    for (int i = 0; i < p->n; i++) {
        EMPTY(&p->parts[i].sections);
        free(p->parts[i].use);
        for (size_t k = 0; k < p->rounds.n; k++) {
            if (p->rounds.at[k].ready[i])
                payload_free(&p->rounds.at[k].parts[i]);
            free(p->rounds.at[k].clocks[i].data);
        }
    }
    for (size_t k = 0; k < p->rounds.n; k++) {
        free(p->rounds.at[k].parts);
        free(p->rounds.at[k].clocks);
        free(p->rounds.at[k].ready);
    }
    EMPTY(&p->rounds);
    free(p->parts);
    free(p);
}

enum outcome partitioned_call(struct call *c)
{
    switch (c->function->routine->verb) {
    case VERB_prepares:
        return make(c);
    case VERB_readies:
        return make_ready(c);
    default:
        return ask_arrived(c);
    }
}
