/* All processes run the same program, so one function shows what each of them does. Time is cut
 * into phases by the calls in which everybody waits for everybody (barriers, fences, window
 * creation …). Two accesses of different processes can meet if they can happen in the same phase,
 * that is, after the same such call with no other in between; an operation also reaches into the
 * phases that begin while it is not yet complete at the target.
 *
 * Silence is the default: windows whose creation is not seen here, messages or atomic operations
 * that may order the two, and exclusive locks all count as "no race". */
#include "remote.h"

#include "alias.h"
#include "departure.h"
#include "draws.h"
#include "regions.h"

enum { WINDOWS = 8, PHASES = 64 };

/* Epochs that may be open on a window, as bits. */
enum { EPOCH_FENCE = 1, EPOCH_SHARED = 2, EPOCH_EXCLUSIVE = 4, EPOCH_ACCESS = 8, EXPOSED = 16 };

struct window {
    const struct event *made;
    expression slot;         /* address of the variable with the handle */
    LLVMValueRef base, unit; /* base: NULL if MPI allocates it */
    expression base_slot;    /* … and then the address of the variable with the base */
};

/* What is known at a point of the program. */
struct point {
    bool reached;
    uint64_t phases; /* bit n: the n-th call of everybody may be the last one before */
    uint8_t epochs[WINDOWS];
    bool heard; /* a message may have come in this phase */
};

struct access {
    const struct event *event;
    const struct buffer *buffer; /* NULL: RMA operation */
    int window;
    uint64_t phases;
    uint64_t reached_into; /* those of them that began while it was in progress */
    uint8_t epochs;
    bool heard, told;
};

struct remote {
    struct function *function;
    unsigned nwindows, nphases;
    struct window windows[WINDOWS];
    struct point *entry; /* by block */
    bool *tells; /* by block: a message may leave before the phase ends, seen from its start */
    uint8_t *event_phase; /* by event: its number as a call of everybody, or PHASES */
    bool *waits;          /* by event: it is one */
    LIST(struct access) accesses;
    bool *aligned;
    bool uses_locks;
    remote_race_visitor *visit;
    void *context;
};

/* ---- windows ---- */

static void find_windows(struct remote *remote)
{
    struct bridge *bridge = remote->function->bridge;
    for EACH (event, &remote->function->events) {
        if (event->kind != EVENT_window)
            continue;
        /* Of another communicator there may be several, each with a window and ranks of its own. */
        bool other = event->routine->object == OBJECT_dynamic_window || !event->comm ||
                     !comm_is_world(event->comm);
        if (other || remote->nwindows == WINDOWS) {
            remote->function->gaps[other ? GAP_other_windows : GAP_windows]++;
            continue;
        }
        struct window *window = &remote->windows[remote->nwindows];
        *window = (struct window){.made = event, .unit = event_argument(event, ROLE_disp_unit)};
        window->slot = bridge_expression(bridge, event_argument(event, ROLE_new_win));
        if (!LLVMIsAConstantInt(window->unit))
            window->slot = NULL; /* the target's unit counts, and it may be another one */
        window->base = event_argument(event, ROLE_base);
        LLVMValueRef base_slot = event_argument(event, ROLE_new_base);
        if (base_slot)
            window->base_slot = bridge_expression(bridge, base_slot);
        /* The same variable for a second window: nobody can tell which one is meant. */
        for (unsigned i = 0; i < remote->nwindows; i++)
            if (remote->windows[i].slot == window->slot)
                remote->windows[i].slot = window->slot = NULL;
        remote->nwindows++;
    }
}

static int window_of(struct remote *remote, LLVMValueRef handle)
{
    if (!handle || !LLVMIsALoadInst(handle))
        return -1;
    expression slot = bridge_expression(remote->function->bridge, LLVMGetOperand(handle, 0));
    for (unsigned i = 0; i < remote->nwindows; i++)
        if (remote->windows[i].slot && remote->windows[i].slot == slot)
            return (int)i;
    return -1;
}

/* The window whose memory an address starts from. */
static int window_at(struct remote *remote, LLVMValueRef address)
{
    struct bridge *bridge = remote->function->bridge;
    expression e = bridge_expression(bridge, address);
    LLVMValueRef base = e ? bridge_base(bridge, e) : NULL;
    if (!base)
        return -1;
    for (unsigned i = 0; i < remote->nwindows; i++) {
        const struct window *window = &remote->windows[i];
        if (window->base) {
            LLVMValueRef start = bridge_base(bridge, bridge_expression(bridge, window->base));
            if (start && alias_bases(remote->function, start, base) == ALIAS_same)
                return (int)i;
        } else if (window->base_slot && LLVMIsALoadInst(base) &&
                   bridge_expression(bridge, LLVMGetOperand(base, 0)) == window->base_slot) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- phases and epochs ---- */

/* Calls on communicators other than MPI_COMM_WORLD may wait for some only. */
static bool waits_for_all(const struct event *event)
{
    if (event->comm &&
        (!comm_is_world(event->comm) || event->routine == &routines[ROUTINE_Comm_create_group]))
        return false;
    return event->routine && event->routine->order == ORDER_all &&
           (event->kind == EVENT_access || event->kind == EVENT_window ||
            event->kind == EVENT_sync);
}

/* Calls by which a process may learn that another one has done something, or may let it know:
 * messages, collectives that wait for some, post and start, complete and wait. */
static bool exchanges(const struct remote *remote, const struct event *event)
{
    if (event->kind == EVENT_call)
        return call_may_use_mpi(remote->function->effects, event->instruction, true);
    if (!event->routine || waits_for_all(event) || event->kind == EVENT_issue)
        return false;
    if (event->routine->verb == VERB_creates || event->routine->order == ORDER_all)
        return true; /* some wait for each other */
    if (event->kind == EVENT_sync)
        return event->routine->object == OBJECT_access || event->routine->object == OBJECT_exposure;
    return event->routine->order != ORDER_none || event->kind == EVENT_complete ||
           event->kind == EVENT_test;
}

/* Under locks, flags and counters in a window are messages, too. */
static bool reads_window(const struct event *event)
{
    return event->kind == EVENT_issue && event->routine->object != OBJECT_put &&
           event->routine->object != OBJECT_accumulate;
}

static bool is_atomic(const struct event *event)
{
    return event->kind == EVENT_issue && event->routine->object != OBJECT_get &&
           event->routine->object != OBJECT_put;
}

static bool writes_window(const struct event *event)
{
    return event->kind == EVENT_issue && event->routine->object != OBJECT_get;
}

static uint8_t epochs_after(uint8_t epochs, const struct event *event, enum flavour flavour)
{
    const struct routine *routine = event->routine;
    LLVMValueRef type = event_argument(event, ROLE_lock_type);
    int64_t exclusive = flavour == FLAVOUR_openmpi ? 1 : 234;
    bool is_exclusive =
        type && LLVMIsAConstantInt(type) && LLVMConstIntGetSExtValue(type) == exclusive;
    bool is_shared = type && LLVMIsAConstantInt(type) && !is_exclusive;
    if (routine->verb == VERB_opens) {
        switch (routine->object) {
        case OBJECT_fence:
            return (uint8_t)((epochs & EXPOSED) | EPOCH_FENCE);
        case OBJECT_lock:
            return (uint8_t)(epochs | (is_shared ? EPOCH_SHARED : EPOCH_EXCLUSIVE));
        case OBJECT_lock_all:
            return epochs | EPOCH_SHARED;
        case OBJECT_access:
            return epochs | EPOCH_ACCESS;
        case OBJECT_exposure:
            return epochs | EXPOSED;
        default:
            return epochs;
        }
    }
    if (routine->verb != VERB_closes)
        return epochs;
    if (routine->object == OBJECT_exposure)
        return epochs & (uint8_t)~EXPOSED;
    if (routine->object == OBJECT_access)
        return epochs & (uint8_t)~EPOCH_ACCESS;
    return epochs & (uint8_t)~(EPOCH_SHARED | EPOCH_EXCLUSIVE);
}

static bool any_locked(const struct point *point)
{
    for (unsigned i = 0; i < WINDOWS; i++)
        if (point->epochs[i] & (EPOCH_SHARED | EPOCH_EXCLUSIVE))
            return true;
    return false;
}

/* A load, or a store, of the program itself in window memory. */
static bool touches_window(struct remote *remote, const struct event *event, bool writing)
{
    if (event->kind != EVENT_access || event->routine)
        return false;
    for (unsigned i = 0; i < event->nbuffers; i++)
        if ((writing ? event->buffers[i].writes : event->buffers[i].reads) &&
            !event->buffers[i].whole && window_at(remote, event->buffers[i].address) >= 0)
            return true;
    return false;
}

static void pass_event(struct remote *remote, struct point *point, const struct event *event)
{
    size_t number = (size_t)(event - remote->function->events.items);
    if (event->kind == EVENT_sync && event->routine) {
        int window = window_of(remote, event->window);
        if (window >= 0)
            point->epochs[window] =
                epochs_after(point->epochs[window], event, remote->function->flavour);
    }
    if (remote->event_phase[number] < PHASES) {
        point->phases = 1ull << remote->event_phase[number];
        point->heard = false;
    } else if (exchanges(remote, event) ||
               (any_locked(point) &&
                (reads_window(event) || touches_window(remote, event, false)))) {
        point->heard = true;
    }
}

static bool join(struct point *into, const struct point *from)
{
    struct point before = *into;
    into->reached = true;
    into->phases |= from->phases;
    into->heard |= from->heard;
    for (unsigned i = 0; i < WINDOWS; i++)
        into->epochs[i] |= from->epochs[i];
    return memcmp(&before, into, sizeof before) != 0;
}

static void solve_forward(struct remote *remote)
{
    struct function *function = remote->function;
    remote->entry[0].reached = true;
    for (bool again = true; again;) {
        again = false;
        for (unsigned block = 0; block < function->nblocks; block++) {
            struct point point = remote->entry[block];
            if (!point.reached)
                continue;
            for (size_t i = function->first_event[block]; i < function->first_event[block + 1]; i++)
                pass_event(remote, &point, &function->events.items[i]);
            LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
                again |= join(&remote->entry[function_block(function, LLVMGetSuccessor(end, s))],
                              &point);
        }
    }
}

/* Whether, from this event of the block on, a message may leave before everybody waits again. */
static bool tells_from(struct remote *remote, unsigned block, size_t event)
{
    struct function *function = remote->function;
    for (size_t i = event; i < function->first_event[block + 1]; i++) {
        if (remote->event_phase[i] < PHASES)
            return false;
        const struct event *later = &function->events.items[i];
        if (exchanges(remote, later) || writes_window(later) ||
            (remote->uses_locks && touches_window(remote, later, true)))
            return true;
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        if (remote->tells[function_block(function, LLVMGetSuccessor(end, s))])
            return true;
    return false;
}

static void solve_backward(struct remote *remote)
{
    struct function *function = remote->function;
    for (bool again = true; again;) {
        again = false;
        for (unsigned block = function->nblocks; block-- > 0;)
            if (!remote->tells[block] && tells_from(remote, block, function->first_event[block]))
                again = remote->tells[block] = true;
    }
}

/* ---- accesses ---- */

static void add_accesses(struct remote *remote)
{
    struct function *function = remote->function;
    for (unsigned block = 0; block < function->nblocks; block++) {
        struct point point = remote->entry[block];
        for (size_t i = function->first_event[block]; i < function->first_event[block + 1]; i++) {
            const struct event *event = &function->events.items[i];
            struct access access = {.event = event,
                                    .phases = point.phases,
                                    .heard = point.heard,
                                    .told = tells_from(remote, block, i + 1)};
            if (event->kind == EVENT_issue) {
                access.window = window_of(remote, event->window);
                access.told |= is_atomic(event); /* the other may see what it has done */
                if (access.window >= 0) {
                    access.epochs = point.epochs[access.window];
                    APPEND(&remote->accesses, access);
                }
            } else if (event->kind == EVENT_access && !waits_for_all(event)) {
                access.heard |= exchanges(remote, event);
                for (unsigned k = 0; k < event->nbuffers; k++) {
                    access.window = window_at(remote, event->buffers[k].address);
                    access.buffer = &event->buffers[k];
                    if (access.window >= 0 && !access.buffer->whole &&
                        !access.buffer->speculative) {
                        access.epochs = point.epochs[access.window];
                        APPEND(&remote->accesses, access);
                    }
                }
            }
            pass_event(remote, &point, event);
        }
    }
}

static struct access *access_of(struct remote *remote, const struct event *event)
{
    for EACH (access, &remote->accesses)
        if (access->event == event && !access->buffer)
            return access;
    return NULL;
}

/* ---- conflicts (semantics §5) ---- */

enum influence { LOADS, STORES, GETS, PUTS, UPDATES, READS_ATOMICALLY };

static enum influence influence_of(const struct remote *remote, const struct access *access)
{
    if (access->buffer)
        return access->buffer->writes ? STORES : LOADS;
    switch (access->event->routine->object) {
    case OBJECT_get:
        return GETS;
    case OBJECT_put:
        return PUTS;
    default: {
        LLVMValueRef op = event_argument(access->event, ROLE_op);
        return op && is_no_op(op, remote->function->flavour) ? READS_ATOMICALLY : UPDATES;
    }
    }
}

static struct layout target_layout(const struct remote *remote, const struct access *access)
{
    LLVMValueRef type = event_argument(access->event, ROLE_target_type);
    if (!type)
        type = event_argument(access->event, ROLE_type);
    return type ? layout_of(type, remote->function->flavour) : (struct layout){0};
}

static bool are_atomic(const struct remote *remote, const struct access *a, const struct access *b)
{
    struct layout one = target_layout(remote, a), two = target_layout(remote, b);
    LLVMValueRef op = event_argument(a->event, ROLE_op), other = event_argument(b->event, ROLE_op);
    if (!one.known || !two.known || !one.basic || !two.basic)
        return true; /* not known to be otherwise */
    if (one.basic != two.basic)
        return false;
    return !op || !other || op == other || is_no_op(op, remote->function->flavour) ||
           is_no_op(other, remote->function->flavour) || !LLVMIsConstant(op) ||
           !LLVMIsConstant(other);
}

enum conflict { NO_CONFLICT, RACE, NOT_ATOMIC };

static enum conflict conflict_of(const struct remote *remote, const struct access *a,
                                 const struct access *b)
{
    enum influence one = influence_of(remote, a), two = influence_of(remote, b);
    if (a->buffer && b->buffer)
        return NO_CONFLICT;
    bool one_updates = one == UPDATES || one == READS_ATOMICALLY;
    bool two_updates = two == UPDATES || two == READS_ATOMICALLY;
    if (one_updates && two_updates)
        return are_atomic(remote, a, b) ? NO_CONFLICT : NOT_ATOMIC;
    bool one_reads = one == LOADS || one == GETS || one == READS_ATOMICALLY;
    bool two_reads = two == LOADS || two == GETS || two == READS_ATOMICALLY;
    return one_reads && two_reads ? NO_CONFLICT : RACE;
}

/* ---- pairs ---- */

static struct remote_access bytes_of(struct remote *remote, const struct access *access)
{
    const struct window *window = &remote->windows[access->window];
    struct remote_access bytes = {
        .event = access->event, .buffer = access->buffer, .unit = window->unit};
    if (access->buffer)
        bytes.base = window->base;
    else
        bytes.target_type = target_layout(remote, access);
    return bytes;
}

static void report(struct remote *remote, const struct access *first, const struct access *second,
                   enum conflict conflict, bool same_process, bool certain,
                   const struct example *example)
{
    struct remote_race race = {.first = first->event,
                               .second = second->event,
                               .second_buffer = second->buffer,
                               .atomicity = conflict == NOT_ATOMIC,
                               .same_process = same_process,
                               .certain = certain,
                               .example = *example};
    remote->visit(remote->context, remote->function, &race);
}

/* Something comes while an operation of this process is not complete at the target: a call of
 * everybody begins a phase that it reaches into; another access may race with it. */
static void while_in_progress(void *context, const struct event *op, const struct event *event,
                              const struct moments *moments)
{
    struct remote *remote = context;
    struct access *first = access_of(remote, op);
    size_t number = (size_t)(event - remote->function->events.items);
    if (!first)
        return;
    if (remote->event_phase[number] < PHASES) {
        first->phases |= 1ull << remote->event_phase[number];
        first->reached_into |= 1ull << remote->event_phase[number];
    }
    for EACH (second, &remote->accesses) {
        enum conflict conflict;
        struct example example;
        if (second->event != event || second->window != first->window ||
            (conflict = conflict_of(remote, first, second)) != RACE)
            continue; /* accumulates of one process keep their order (MPI-4.0 12.7.2) */
        uint64_t pair = (uint64_t)(op - remote->function->events.items) << 32 | number << 3;
        if (second->buffer)
            pair += 1 + (uint64_t)(second->buffer - event->buffers);
        if (was_asked(remote->function, ~pair) ||
            !asked_first(remote->function, pair ^ ~moments_number(moments)))
            continue;
        struct remote_access a = bytes_of(remote, first), b = bytes_of(remote, second);
        bool proved;
        if (remote_overlap(moments, &a, &b, &example, &proved) != ALWAYS)
            continue;
        report(remote, first, second, conflict, true, proved, &example);
        if (proved)
            asked_first(remote->function, ~pair); /* it cannot become more certain */
    }
}

/* Whether something may order the two, or keep them apart, whatever the phases say. */
static bool kept_apart(const struct access *op, const struct access *other)
{
    bool locked = op->epochs & (EPOCH_SHARED | EPOCH_EXCLUSIVE);
    bool other_locked = other->epochs & (EPOCH_SHARED | EPOCH_EXCLUSIVE);
    if (locked && other_locked && (op->epochs | other->epochs) & EPOCH_EXCLUSIVE)
        return true;
    /* Post and wait of the target order its own accesses outside its exposure epoch. */
    if (op->epochs & EPOCH_ACCESS && other->buffer && !(other->epochs & EXPOSED))
        return true;
    if (op->epochs & EPOCH_ACCESS && !other->buffer && other->epochs & EPOCH_ACCESS)
        return true; /* the same exposure or two that follow each other: not followed */
    if (!op->epochs || (!other->buffer && !other->epochs))
        return true; /* outside any epoch: wrong in another way, or opened where we do not see */
    bool op_tells = op->told && !(op->epochs == EPOCH_FENCE);
    bool other_tells = other->told && (other->buffer || other->epochs != EPOCH_FENCE);
    return (op_tells && other->heard) || (other_tells && op->heard);
}

/* Whether there is a call of everybody that both may have behind them as their last one. */
static bool can_meet(const struct remote *remote, const struct access *op,
                     const struct access *other)
{
    const struct event *events = remote->function->events.items;
    for (size_t i = 0; i < remote->function->events.count; i++) {
        uint64_t phase = remote->event_phase[i] < PHASES ? 1ull << remote->event_phase[i] : 0;
        if (phase & op->phases & other->phases &&
            (phase & (op->reached_into | other->reached_into) ||
             !departed_together(remote->function, remote->waits, remote->aligned, i,
                                (size_t)(op->event - events), (size_t)(other->event - events))))
            return true;
    }
    return false;
}

static void compare_processes(struct remote *remote, const struct access *op,
                              const struct access *other)
{
    enum conflict conflict = conflict_of(remote, op, other);
    if (conflict == NO_CONFLICT || op->window != other->window || !can_meet(remote, op, other) ||
        kept_apart(op, other))
        return;
    condition_list conditions = {0};
    block_conditions(remote->function, op->event->block, THEN, &conditions);
    block_conditions(remote->function, other->event->block, NOW, &conditions);
    struct moments moments = {.function = remote->function,
                              .then_block = op->event->block,
                              .now_block = other->event->block,
                              .conditions = conditions.items,
                              .nconditions = conditions.count,
                              .aligned = remote->aligned};
    struct remote_access a = bytes_of(remote, op), b = bytes_of(remote, other);
    struct example example;
    bool proved;
    if (remote_overlap(&moments, &a, &b, &example, &proved) == ALWAYS)
        report(remote, op, other, conflict, false, proved, &example);
    DROP(&conditions);
}

static void align_loops(struct remote *remote)
{
    struct function *function = remote->function;
    for EACH (event, &function->events)
        if (waits_for_all(event))
            for (int loop = bridge_loop(function->bridge, function->blocks[event->block]);
                 loop >= 0; loop = bridge_loop_parent(function->bridge, loop))
                remote->aligned[loop] = true;
}

void remote_find_races(struct function *function, remote_race_visitor *visit, void *context)
{
    struct remote remote = {.function = function, .visit = visit, .context = context};
    find_windows(&remote);
    if (!remote.nwindows)
        return;
    remote.entry = checked(calloc(function->nblocks + 1, sizeof *remote.entry));
    remote.tells = checked(calloc(function->nblocks + 1, sizeof *remote.tells));
    remote.event_phase = checked(malloc(function->events.count + 1));
    remote.aligned = checked(calloc(bridge_loop_count(function->bridge) + 1, sizeof(bool)));
    remote.waits = checked(calloc(function->events.count + 1, sizeof(bool)));
    for (size_t i = 0; i < function->events.count; i++) {
        remote.waits[i] = waits_for_all(&function->events.items[i]);
        remote.event_phase[i] =
            remote.waits[i] && remote.nphases < PHASES ? (uint8_t)remote.nphases++ : PHASES;
    }
    for EACH (event, &function->events)
        remote.uses_locks |=
            event->kind == EVENT_sync && event->routine->verb == VERB_opens &&
            (event->routine->object == OBJECT_lock || event->routine->object == OBJECT_lock_all);
    function->gaps[GAP_phases] += remote.nphases == PHASES;
    align_loops(&remote);
    solve_forward(&remote);
    solve_backward(&remote);
    add_accesses(&remote);
    regions_follow_remote(function, while_in_progress, &remote);
    for (size_t i = 0; i < remote.accesses.count && remote.nphases < PHASES; i++)
        for (size_t k = 0; k < remote.accesses.count; k++) {
            const struct access *op = &remote.accesses.items[i], *other = &remote.accesses.items[k];
            if (!op->buffer && (other->buffer || k >= i))
                compare_processes(&remote, op, other);
        }
    DROP(&remote.accesses);
    free(remote.entry);
    free(remote.tells);
    free(remote.event_phase);
    free(remote.waits);
    free(remote.aligned);
}
