#include "conflicts.h"

#include "access_log.h"
#include "accesses.h"
#include "findings.h"
#include "hints.h"
#include "operations.h"
#include "session.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "uses.h"
#include "window_accesses.h"

/* The side that comes second: a call, or a load or store of the program. */
struct newcomer {
    struct operation *operation; /* NULL for an own access */
    const struct own_access *own;
    const void *caller, *frame;
    const struct stack *stack; /* taken when it is needed, if NULL */
    enum buffer_access access;
    uint64_t bytes;
    bool found;                    /* a conflict */
    struct operation_buffer *lost; /* its memory is given back */
};

static struct side_record side_of(const struct routine *at, const struct routine *made_by,
                                  bool writes)
{
    return (struct side_record){.kind = routine_kind(made_by, writes),
                                .call = at->name,
                                .made_by = made_by->name,
                                .access = writes ? "write" : "read",
                                .until = routine_until(made_by),
                                .rank = session.rank};
}

/* The side that came first: a use of a buffer by MPI, under way or over. */
struct older {
    struct operation_place from;
    const struct routine *routine;
    int thread;
    uint64_t start, bytes;
    struct moment began;
    bool is_self; /* the same operation */
};

static struct older older_in_use(const struct operation_buffer *buffer,
                                 const struct operation *newcomer)
{
    return (struct older){operation_buffer_place(buffer),
                          buffer->operation->routine,
                          buffer->operation->thread,
                          buffer->start,
                          buffer->bytes,
                          buffer->began,
                          buffer->operation == newcomer};
}

static struct older older_over(const struct use *use)
{
    return (struct older){use->from,  use->routine, use->thread, use->start,
                          use->bytes, use->began,   false};
}

static struct side_record older_side(const struct older *older, bool wrote)
{
    struct side_record side = side_of(older->from.at, older->routine, wrote);
    side.thread = older->thread;
    side.bytes = older->bytes;
    side.site = site_recorded(older->from.stack);
    return side;
}

static struct side_record newer_side(const struct newcomer *newcomer)
{
    const struct operation *operation = newcomer->operation;
    bool writes = newcomer->access == BUFFER_WRITE;
    struct side_record side = {.kind = writes ? "store" : "load",
                               .access = writes ? "write" : "read",
                               .rank = session.rank,
                               .thread = session_thread()};
    if (operation) {
        side = side_of(operation->at, operation->routine, writes);
        side.thread = operation->thread;
    } else if (newcomer->own->given_back_by) {
        side.kind = newcomer->own->given_back_by;
        side.access = "give-back";
    }
    side.bytes = newcomer->bytes;
    side.site = site_recorded(newcomer->stack);
    return side;
}

/* Where nothing orders the second with the beginning of the first, it is a matter of threads. */
static enum finding_case case_of(const struct newcomer *newcomer, const struct older *older)
{
    if (older->is_self)
        return CASE_BUFFERS_OF_ONE_CALL;
    if (!actor_knows(older->began))
        return CASE_BUFFER_BETWEEN_THREADS;
    return newcomer->own && newcomer->own->given_back_by ? CASE_BUFFER_GIVEN_BACK
                                                         : CASE_BUFFER_IN_USE;
}

static const char *rule_of(enum finding_case which)
{
    return which == CASE_BUFFER_BETWEEN_THREADS ? "thread-race" : "local-race";
}

static void report(struct newcomer *newcomer, const struct older *older,
                   enum buffer_access older_access, const struct section *common)
{
    enum finding_case which = case_of(newcomer, older);
    newcomer->found = true;
    if (!newcomer->stack)
        newcomer->stack = stack_take(newcomer->caller, newcomer->frame);
    if (newcomer->operation && !newcomer->operation->stack)
        newcomer->operation->stack = newcomer->stack;
    if (!finding_is_new(which, older->from.stack, newcomer->stack))
        return;
    struct finding_record finding = {
        .rule = rule_of(which),
        .which = which,
        .first = older_side(older, older_access == BUFFER_WRITE),
        .second = newer_side(newcomer),
        .has_second = true,
        .has_memory = true,
        .memory = {.rank = session.rank,
                   .offset = common->start - older->start,
                   .bytes = common->length},
        .missing = which == CASE_BUFFER_BETWEEN_THREADS ? "order" : "completion",
        .numbers = {{"address", (int64_t)common->start}},
    };
    finding_report(&finding);
}

static bool visit(void *context, void *owner, enum buffer_access access,
                  const struct section *common)
{
    struct newcomer *newcomer = context;
    if (hint_ignores(common->start, common->length))
        return true;
    struct older older = older_in_use(owner, newcomer->operation);
    report(newcomer, &older, access, common);
    bool is_lost = newcomer->own && newcomer->own->given_back_by;
    newcomer->lost = is_lost ? owner : NULL;
    return !is_lost;
}

void conflicts_check(struct operation *newcomer, const struct call *call,
                     const struct section *sections, size_t n, enum buffer_access access)
{
    struct newcomer context = {.operation = newcomer,
                               .caller = call->caller,
                               .frame = call->frame,
                               .stack = newcomer->stack,
                               .access = access,
                               .bytes = sections_bytes(sections, n)};
    inuse_conflicts(session.inuse, sections, n, access, visit, &context);
}

bool conflicts_check_own(const struct own_access *own)
{
    struct newcomer context = {.own = own,
                               .caller = own->caller,
                               .frame = own->frame,
                               .access = own->store ? BUFFER_WRITE : BUFFER_READ,
                               .bytes = own->bytes};
    struct section section = {.start = own->address, .length = own->bytes, .count = 1};
    /* What comes behind is the same mistake, not another one: an operator delete that unmaps, and
     * every function that is called later, which stores where the frame was; which of them it is
     * depends on the compiler. */
    do {
        context.lost = NULL;
        inuse_conflicts(session.inuse, &section, 1, context.access, visit, &context);
        if (context.lost)
            operation_buffer_lost(context.lost);
    } while (context.lost);
    return context.found;
}

/* ---- between threads ---- */

/* What an actor did before it called MPI, or what another one's call did: no matter how long ago,
 * as long as nothing orders the two. */

static bool visit_use(void *context, const struct use *use, enum buffer_access access,
                      const struct section *common)
{
    struct newcomer *newcomer = context;
    if (actor_knows(use->ended))
        return true;
    struct older older = older_over(use);
    report(newcomer, &older, access, common);
    return true;
}

/* A load or store of another actor came first. */
static void visit_logged(void *context, const struct logged_access *logged)
{
    struct newcomer *newcomer = context;
    const struct window_place *place = window_place(logged->site);
    if (!place)
        return;
    if (!newcomer->stack)
        newcomer->stack = stack_take(newcomer->caller, newcomer->frame);
    if (!newcomer->operation->stack)
        newcomer->operation->stack = newcomer->stack;
    /* As if the call had come first: a pair of places is one finding. */
    if (!finding_is_new(CASE_BUFFER_BETWEEN_THREADS, newcomer->stack, place->stack))
        return;
    struct side_record access = {.kind = logged->store ? "store" : "load",
                                 .access = logged->store ? "write" : "read",
                                 .rank = session.rank,
                                 .thread = (int)actor_thread_of(logged->moment.actor),
                                 .bytes = logged->common.length,
                                 .site = site_recorded(place->stack)};
    struct finding_record finding = {
        .rule = rule_of(CASE_BUFFER_BETWEEN_THREADS),
        .which = CASE_BUFFER_BETWEEN_THREADS,
        .first = newer_side(newcomer),
        .second = access,
        .has_second = true,
        .has_memory = true,
        .memory = {.rank = session.rank, .bytes = logged->common.length},
        .missing = "order",
    };
    finding_report(&finding);
}

void conflicts_check_threads(struct operation *newcomer, const struct call *call,
                             const struct section *sections, size_t n, enum buffer_access access)
{
    if (!actors_are_concurrent() || !actor_is_seen())
        return;
    struct newcomer context = {.operation = newcomer,
                               .caller = call->caller,
                               .frame = call->frame,
                               .stack = newcomer->stack,
                               .access = access,
                               .bytes = sections_bytes(sections, n)};
    struct past *past = actor_past();
    uses_conflicts(sections, n, access, visit_use, &context);
    access_log_check(sections, n, access, past, visit_logged, &context);
    past_drop(past);
}

/* What began before it was told, though the access had been made by then, does not conflict if it
 * knew of the access. Operations of the actor itself were compared when the access was made. */
static bool visit_under_way(void *context, void *owner, enum buffer_access access,
                            const struct section *common)
{
    struct newcomer *newcomer = context;
    const struct operation_buffer *buffer = owner;
    struct moment now = actor_moment();
    if (buffer->began.actor == now.actor || !buffer->past || past_knows(buffer->past, now))
        return true;
    struct older older = older_in_use(buffer, NULL);
    report(newcomer, &older, access, common);
    return true;
}

static bool visit_over(void *context, const struct use *use, enum buffer_access access,
                       const struct section *common)
{
    if (use->began.actor == actor_moment().actor && use->ended.actor == use->began.actor)
        return true;
    if (past_knows(use->past, actor_moment()))
        return true;
    return visit_use(context, use, access, common);
}

static void check_told(const struct own_access *own, const struct stack *stack)
{
    struct newcomer newcomer = {.own = own,
                                .caller = own->caller,
                                .frame = own->frame,
                                .stack = stack,
                                .access = own->store ? BUFFER_WRITE : BUFFER_READ,
                                .bytes = own->bytes};
    struct section section = {.start = own->address, .length = own->bytes, .count = 1};
    if (!inuse_empty(session.inuse))
        inuse_conflicts(session.inuse, &section, 1, newcomer.access, visit_under_way, &newcomer);
    uses_conflicts(&section, 1, newcomer.access, visit_over, &newcomer);
}

void conflicts_check_told(uint64_t low, uint64_t high, bool store, site_t site)
{
    const struct window_place *place = window_place(site);
    struct own_access own = {.address = low, .bytes = high - low, .store = store};
    if (place)
        check_told(&own, place->stack);
}

void conflicts_check_given_back(const struct own_access *own)
{
    check_told(own, NULL);
}
