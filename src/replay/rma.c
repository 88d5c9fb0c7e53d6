/* RMA operations: executed where they are issued, so their order at the target is that of the
 * replay. */
#include "window.h"

#include "engine/clock.h"

static enum access_kind access_kind_of(const struct routine *routine)
{
    static const uint8_t kinds[OBJECT_KINDS] = {[OBJECT_put] = ACCESS_PUT,
                                                [OBJECT_get] = ACCESS_GET,
                                                [OBJECT_accumulate] = ACCESS_ACCUMULATE,
                                                [OBJECT_get_accumulate] = ACCESS_GET_ACCUMULATE,
                                                [OBJECT_fetch_and_op] = ACCESS_FETCH_AND_OP,
                                                [OBJECT_compare_and_swap] =
                                                    ACCESS_COMPARE_AND_SWAP};
    return (enum access_kind)kinds[routine->object];
}

/* ---- Atomics ---- */

static void join_clock(struct bytes *to, const struct bytes *more)
{
    struct clock a = CLOCK_EMPTY, b = CLOCK_EMPTY;
    if (to->size)
        clock_decode(&a, to->data, to->size);
    clock_decode(&b, more->data, more->size);
    clock_join(&a, &b);
    free(to->data);
    to->data = got(malloc(clock_encoded_bound(&a)));
    to->size = clock_encode(&a, to->data);
    clock_clear(&a);
    clock_clear(&b);
}

static void add_release(struct mpi *mpi, int target, uint64_t start, uint64_t length,
                        const struct bytes *clock, int rank, uint64_t stamp)
{
    struct release *release = NULL;
    for (size_t i = 0; i < mpi->releases.n && !release; i++)
        if (mpi->releases.at[i].target == target && mpi->releases.at[i].start == start &&
            mpi->releases.at[i].length == length)
            release = &mpi->releases.at[i];
    if (!release) {
        struct release new = {.target = target, .start = start, .length = length};
        release = &mpi->releases.at[ADD(&mpi->releases, new)];
        release = &mpi->releases.at[mpi->releases.n - 1];
    }
    join_clock(&release->clock, clock);
    if (release->stamps[rank] < stamp + 1)
        release->stamps[rank] = stamp + 1;
}

static void see_releases(struct mpi *mpi, struct operation *operation, const struct section *at)
{
    for (size_t i = 0; i < mpi->releases.n; i++) {
        const struct release *release = &mpi->releases.at[i];
        const struct section there = {release->start, release->length, 0, 1};
        struct section common;
        if (release->target != operation->target || !section_overlaps(&there, at, &common))
            continue;
        struct sight sight = {bytes_copy(release->clock.data, release->clock.size), common, {0}};
        memcpy(sight.stamps, release->stamps, sizeof sight.stamps);
        ADD(&operation->sights, sight);
    }
}

static void learn_sights(struct operation *operation)
{
    struct process *p = operation->origin;
    const struct window *window = operation->window;
    uint64_t base = window->dynamic ? 0 : window->base[operation->target];
    for (size_t i = 0; i < operation->sights.n; i++) {
        struct sight *sight = &operation->sights.at[i];
        struct update_seen seen[MOST_PROCESSES];
        size_t n = 0;
        for (uint32_t r = 0; r < MOST_PROCESSES; r++)
            if (sight->stamps[r])
                seen[n++] = (struct update_seen){r, 0, sight->stamps[r] - 1};
        learn(p, &sight->clock);
        struct section bytes = sight->bytes;
        bytes.start -= base;
        engine_updates_seen(p->engine, 0, window->name, (uint32_t)operation->target, &bytes, seen,
                            n);
        free(sight->clock.data);
    }
    EMPTY(&operation->sights);
}

/* ---- Completion ---- */

void operation_over(struct call *c, struct operation *operation)
{
    if (operation->over)
        return;
    operation->over = true;
    if (operation->with_request)
        engine_request_complete(operation->origin->engine, 0, operation->request);
    learn_sights(operation);
    for (int i = 0; i < 3; i++) {
        judge_use_end(c->w, operation->uses[i]);
        operation->uses[i] = NULL;
    }
}

/* At the entry of the call that completes them, before anything goes out that others may learn. */
void buffers_over(struct call *c, const struct window *window, int target)
{
    struct mpi *mpi = c->w->mpi;
    for (size_t i = 0; i < mpi->operations.n; i++) {
        struct operation *operation = mpi->operations.at[i];
        for (int k = 0; k < 3; k++)
            if (operation->origin == c->p && operation->window == window &&
                (target < 0 || operation->target == target)) {
                judge_use_end(c->w, operation->uses[k]);
                operation->uses[k] = NULL;
            }
    }
}

void operations_over(struct call *c, struct window *window, int target)
{
    struct mpi *mpi = c->w->mpi;
    size_t kept = 0;
    for (size_t i = 0; i < mpi->operations.n; i++) {
        struct operation *operation = mpi->operations.at[i];
        if (operation->origin == c->p && operation->window == window && !operation->over &&
            (target < 0 || operation->target == target)) {
            operation->with_request = false; /* completed by the epoch, not by its request */
            operation_over(c, operation);
        }
        if (operation->over && !operation->held)
            free(operation);
        else
            mpi->operations.at[kept++] = operation;
    }
    mpi->operations.n = kept;
}

void releases_close(struct mpi *mpi)
{
    for (size_t i = 0; i < mpi->releases.n; i++)
        free(mpi->releases.at[i].clock.data);
    EMPTY(&mpi->releases);
    for (size_t i = 0; i < mpi->operations.n; i++) {
        struct operation *operation = mpi->operations.at[i];
        for (size_t k = 0; k < operation->sights.n; k++)
            free(operation->sights.at[k].clock.data);
        EMPTY(&operation->sights);
        for (int k = 0; k < 3; k++)
            free(operation->uses[k]);
        free(operation);
    }
    EMPTY(&mpi->operations);
}

/* ---- Issue ---- */

struct issue {
    struct call *c;
    struct window *window;
    enum access_kind kind;
    int target, op;
    const struct datatype *type; /* at the target */
    section_row there;           /* addresses */
    section_row buffers[3];
    bool writes[3];
    int nbuffers;
};

/* The buffers at the origin; a fetch reads nothing for MPI_NO_OP. */
static bool read_origin(struct issue *issue)
{
    struct call *c = issue->c;
    const struct routine *routine = c->function->routine;
    for (int i = 0; i < routine->nbuffers && !failed(c); i++) {
        const struct routine_buffer *shape = &routine->buffers[i];
        const struct datatype *type;
        section_row *row = &issue->buffers[i];
        issue->writes[i] = shape->role == ROLE_write;
        issue->nbuffers = i + 1;
        if (issue->op == OP_NO_OP && !issue->writes[i] && issue->kind != ACCESS_COMPARE_AND_SWAP)
            continue;
        uint64_t address = address_at(c, shape->argument);
        int64_t count = shape->count == NO_ARGUMENT ? 1 : number_at(c, shape->count);
        if (failed(c) || !type_of(c, address_at(c, shape->type), &type))
            return false;
        type_sections(c, type, address, count, row);
        if (!failed(c) && !sections_alive(c->w, c->p, row))
            stop(c->w, c->p, "a buffer that is not the program's memory");
        if (routine->buffers[0].type == shape->type && argument_with(c, ROLE_target_type) < 0)
            issue->type = type;
    }
    return !failed(c);
}

static bool attached_there(const struct window *window, int target, const section_row *there)
{
    for (size_t i = 0; i < there->n; i++) {
        bool inside = false;
        for (size_t k = 0; k < window->attached[target].n && !inside; k++) {
            const struct attached *at = &window->attached[target].at[k];
            inside =
                there->at[i].start >= at->base && section_end(&there->at[i]) <= at->base + at->size;
        }
        if (!inside)
            return false;
    }
    return true;
}

static bool read_target(struct issue *issue)
{
    struct call *c = issue->c;
    struct window *window = issue->window;
    int type_argument = argument_with(c, ROLE_target_type),
        count_argument = argument_with(c, ROLE_target_count);
    int64_t displacement = number_with(c, ROLE_target_disp),
            count = count_argument < 0 ? 1 : number_at(c, count_argument);
    if (failed(c) ||
        (type_argument >= 0 && !type_of(c, address_at(c, type_argument), &issue->type)))
        return false;
    int t = issue->target;
    uint64_t start = window->dynamic ? (uint64_t)displacement
                                     : window->base[t] + (uint64_t)displacement * window->unit[t];
    if (!type_sections(c, issue->type, start, count, &issue->there))
        return false;
    bool inside = !window->dynamic || attached_there(window, t, &issue->there);
    for (size_t i = 0; i < issue->there.n && !window->dynamic; i++)
        inside &= issue->there.at[i].start >= window->base[t] &&
                  section_end(&issue->there.at[i]) <= window->base[t] + window->size[t];
    if (!inside || !sections_alive(c->w, &c->w->processes[t], &issue->there)) {
        stop(c->w, c->p, "an operation out of the window");
        return false;
    }
    return true;
}

static bool in_epoch(const struct issue *issue)
{
    int me = issue->c->p->rank;
    return issue->window->pairs[me][issue->target].held ||
           issue->window->started[me][issue->target] || issue->window->fences[me];
}

static void note_spin(struct process *p, bool news)
{
    p->spins = news ? 0 : p->spins + 1;
}

static bool same_payload(const struct payload *a, const struct payload *b)
{
    uint64_t size = a->size < b->size ? a->size : b->size;
    return !size || (!memcmp(a->bytes, b->bytes, size) && !memcmp(a->known, b->known, size));
}

/* Writes, and says whether anything is different then. */
static bool changes(struct world *w, const struct payload *payload, const section_row *sections)
{
    struct payload before = payload_read(w, sections);
    bool same = same_payload(&before, payload);
    payload_write(w, payload, sections);
    payload_free(&before);
    return !same;
}

/* What it does to the data. False: that depends on something unknown. A process that fetches again
 * and again what it has got already, and changes nothing, spins. */
static bool execute(struct issue *issue, bool *updates)
{
    struct world *w = issue->c->w;
    struct payload there = payload_read(w, &issue->there), here = {0};
    *updates = issue->kind >= ACCESS_ACCUMULATE && issue->op != OP_NO_OP;
    if (issue->kind != ACCESS_GET)
        here = payload_read(w, &issue->buffers[0]);
    if (issue->kind == ACCESS_COMPARE_AND_SWAP) {
        struct payload compare = payload_read(w, &issue->buffers[1]);
        bool known = true, same = true;
        for (uint64_t i = 0; i < there.size; i++) {
            known &= there.known[i] && compare.known[i];
            same &= there.bytes[i] == compare.bytes[i];
        }
        bool news = changes(w, &there, &issue->buffers[2]);
        if (known && same)
            news |= changes(w, &here, &issue->there);
        note_spin(issue->c->p, news);
        *updates = same;
        payload_free(&compare);
        payload_free(&here);
        payload_free(&there);
        return known;
    }
    bool news = false;
    if (issue->kind == ACCESS_GET)
        news |= changes(w, &there, &issue->buffers[0]);
    if (issue->kind == ACCESS_GET_ACCUMULATE || issue->kind == ACCESS_FETCH_AND_OP)
        news |= changes(w, &there, &issue->buffers[1]);
    if (issue->kind == ACCESS_PUT)
        news |= changes(w, &here, &issue->there);
    if (*updates) {
        payload_reduce(&there, &here, issue->op, issue->type);
        news |= changes(w, &there, &issue->there);
    }
    note_spin(issue->c->p, news);
    payload_free(&here);
    payload_free(&there);
    return true;
}

static void tell_engine(struct issue *issue, struct operation *operation, site_t site)
{
    struct call *c = issue->c;
    struct process *p = c->p;
    struct window *window = issue->window;
    bool accumulate = issue->kind >= ACCESS_ACCUMULATE, updates;
    section_row sections = {0};
    uint64_t base = window->dynamic ? 0 : window->base[issue->target], stamp = 0;
    for (size_t i = 0; i < issue->there.n; i++) {
        struct section section = issue->there.at[i];
        section.start -= base;
        ADD(&sections, section);
    }
    uint32_t op = ACC_NONE;
    if (accumulate)
        op = issue->kind == ACCESS_COMPARE_AND_SWAP ? ACC_CAS
             : issue->op == OP_NO_OP                ? ACC_NO_OP
                                                    : ACC_OTHER + (uint32_t)issue->op;
    const struct rma_op what = {.kind = issue->kind,
                                .window = window->name,
                                .target = (uint32_t)issue->target,
                                .op = op,
                                .type = accumulate ? (uint32_t)issue->type->basic + 1 : 0,
                                .type_size = accumulate ? issue->type->element_size : 1,
                                .sections = sections.at,
                                .section_count = sections.n,
                                .site = site};
    if (accumulate)
        stamp = engine_update_begin(p->engine, 0, true);
    operation->request = engine_rma(p->engine, 0, &what, operation->with_request);
    if (accumulate)
        engine_hand_over(p->engine, window->name, (uint32_t)issue->target);
    struct bytes clock = clock_now(p);
    bool fetches = issue->kind >= ACCESS_GET_ACCUMULATE;
    for (size_t i = 0; fetches && i < issue->there.n; i++)
        see_releases(c->w->mpi, operation, &issue->there.at[i]);
    if (!execute(issue, &updates))
        stop(c->w, p, "a comparison of unknown values");
    for (size_t i = 0; updates && i < issue->there.n; i++)
        for (uint64_t k = 0; k < issue->there.at[i].count; k++)
            add_release(c->w->mpi, issue->target,
                        issue->there.at[i].start + k * issue->there.at[i].stride,
                        issue->there.at[i].length, &clock, p->rank, stamp);
    free(clock.data);
    EMPTY(&sections);
}

static enum outcome issue_operation(struct issue *issue)
{
    struct call *c = issue->c;
    const struct routine *routine = c->function->routine;
    bool with_request = argument_with(c, ROLE_new_request) >= 0;
    site_t site = site_here(c->w, c->p, routine, NULL);
    struct operation *operation = zeroed(1, sizeof *operation);
    operation->window = issue->window;
    operation->origin = c->p;
    operation->target = issue->target;
    operation->with_request = operation->held = with_request;
    for (int i = 0; i < issue->nbuffers; i++)
        if (issue->buffers[i].n)
            operation->uses[i] = judge_use(c->w, c->p, issue->buffers[i].at, issue->buffers[i].n,
                                           issue->writes[i], site, routine);
    if (access_reads_target(issue->kind, 0) && issue->there.n &&
        issue->window->started[c->p->rank][issue->target])
        issue->window->fetched[c->p->rank][issue->target] = true;
    tell_engine(issue, operation, site);
    ADD(&c->w->mpi->operations, operation);
    c->w->interesting = true;
    if (with_request && !failed(c)) {
        struct request *request = request_new(c, REQUEST_RMA);
        request->operation = operation;
        request->active = request->complete = true;
        store_handle(c, address_with(c, ROLE_new_request), KIND_REQUEST, request->number);
    }
    return failed(c) ? STOPS : OVER;
}

enum outcome rma_call(struct call *c)
{
    struct issue issue = {.c = c, .kind = access_kind_of(c->function->routine)};
    int op_argument = argument_with(c, ROLE_op);
    const struct numbers *numbers = &c->w->mpi->numbers;
    issue.window = window_at(c, argument_with(c, ROLE_win));
    int64_t rank = number_with(c, ROLE_target);
    if (failed(c) || c->function->routine->large)
        return STOPS;
    issue.op = op_argument < 0 ? OP_UNKNOWN : object_of(c, KIND_OP, address_at(c, op_argument));
    if (rank == numbers->proc_null) {
        if (argument_with(c, ROLE_new_request) >= 0)
            return STOPS;
        return OVER;
    }
    if (rank < 0 || rank >= issue.window->comm->size)
        return wrong(c);
    issue.target = issue.window->comm->ranks[rank];
    if (op_argument >= 0 && issue.op <= OP_UNKNOWN)
        return STOPS;
    if (!in_epoch(&issue)) {
        stop(c->w, c->p, "an operation outside of epochs");
        return STOPS;
    }
    site_t last = issue.window->no_succeed[c->p->rank];
    if (last && !issue.window->pairs[c->p->rank][issue.target].held &&
        !issue.window->started[c->p->rank][issue.target]) {
        judge_misuse(c->w, c->p, "false-nosucceed", last,
                     site_here(c->w, c->p, c->function->routine, NULL));
        stop(c->w, c->p, "an operation outside of epochs");
        return STOPS;
    }
    enum outcome outcome = STOPS;
    if (read_origin(&issue) && read_target(&issue)) {
        if (issue.kind >= ACCESS_ACCUMULATE &&
            (issue.type->basic < 0 ||
             issue.type->element_size !=
                 issue.type->size % issue.type->element_size + issue.type->element_size))
            outcome = STOPS;
        else
            outcome = issue_operation(&issue);
    }
    EMPTY(&issue.there);
    for (int i = 0; i < 3; i++)
        EMPTY(&issue.buffers[i]);
    return outcome;
}
