/* Hand-offs: somebody touches a place, tells somebody else by a chain of synchronisation, who
 * touches it too. Every link of the chain matters, so a program with one link missing races there
 * and nowhere else. */
#include "generate_state.h"

/* Who has the word now. */
struct holder {
    uint32_t rank, thread;
};

struct place {
    uint32_t owner;
    uint32_t start, length; /* in the owner's memory */
};

static struct place choose_handoff_place(struct generator *g)
{
    static const uint8_t lengths[] = {1, 2, 4, 4, 8, 8, 3, 12};
    struct place place = {chance(g, 50) ? g->busy : below(g, g->program->ranks), 0, 0};
    place.length = lengths[below(g, sizeof lengths)];
    place.start = g->hot[below(g, HOT_SPOTS)] + (chance(g, 30) ? below(g, 8) : 0);
    if (place.start + place.length > g->program->memory)
        place.start = g->program->memory - place.length;
    return place;
}

static bool window_shows(const struct generator *g, uint32_t window, const struct place *place)
{
    const struct program_window *shape = &g->program->windows[window];
    return g->live >> window & 1 && shape->members >> place->owner & 1 &&
           place->start >= shape->at[place->owner] &&
           place->start + place->length <= shape->at[place->owner] + shape->size[place->owner];
}

static uint64_t offset_in(const struct generator *g, uint32_t window, const struct place *place)
{
    const struct program_window *shape = &g->program->windows[window];
    return shape->kind == WINDOW_DYNAMIC ? place->start : place->start - shape->at[place->owner];
}

/* ---- Touching ---------------------------------------------------------------------------------
 */

static struct step operation_at(struct generator *g, uint32_t window, const struct place *place)
{
    static const enum step_what fetches[] = {STEP_ACCUMULATE, STEP_GET_ACCUMULATE,
                                             STEP_FETCH_AND_OP, STEP_COMPARE_AND_SWAP};
    struct step step = {
        .window = (uint8_t)window, .target = (uint8_t)place->owner, .section_count = 1};
    step.sections[0] = (struct section){offset_in(g, window, place), place->length, 0, 1};
    step.what = chance(g, 45) ? STEP_GET : STEP_PUT;
    if (!chance(g, g->atomics ? 60 : 25))
        return step;
    for (uint8_t type = 0; type < TYPE_KINDS; type++)
        if (type_bytes[type] == place->length) {
            step.what = order_free(g) ? STEP_ACCUMULATE : fetches[below(g, 4)];
            step.type = type;
            step.op = g->favourite_op;
            if (step.what == STEP_COMPARE_AND_SWAP)
                step.op = ACC_CAS;
            else if (step.what != STEP_ACCUMULATE && chance(g, 40))
                step.op = ACC_NO_OP;
            break;
        }
    return step;
}

/* In a long epoch: with or without whatever completes it, perhaps by another thread. */
static void touch_in_long_epoch(struct generator *g, struct holder *holder, uint32_t window,
                                const struct place *place)
{
    struct step step = operation_at(g, window, place);
    struct rank_window *state = &g->windows[window][holder->rank];
    if (chance(g, 25) && g->request_count[holder->rank] < MAX_OPEN_REQUESTS)
        step.slot = new_slot(g, holder->rank);
    state->operations = true;
    struct step *issued = append(g, holder->rank, holder->thread, step);
    uint32_t group = issued->group;
    if (step.slot)
        append(g, holder->rank, holder->thread,
               (struct step){.what = STEP_WAIT, .slot = step.slot, .group = group});
    if (step.slot && chance(g, 60))
        return;
    uint32_t flusher = holder->thread;
    if (state->users && chance(g, 75)) {
        flusher = any_member(g, state->users | 1);
        if (flusher != holder->thread && chance(g, 40)) { /* it really knows of the operation */
            uint32_t mutex = 2 + below(g, 2), section = ++g->group;
            struct step lock = {
                .what = STEP_MUTEX_LOCK, .number = (uint8_t)mutex, .group = section};
            struct step unlock = {
                .what = STEP_MUTEX_UNLOCK, .number = (uint8_t)mutex, .group = section};
            for (int i = 0; i < 2 && !order_free(g); i++) {
                append(g, holder->rank, i ? flusher : holder->thread, lock);
                append(g, holder->rank, i ? flusher : holder->thread, unlock);
            }
        }
    }
    uint32_t dice = below(g, 100);
    if (dice < 85)
        append(g, holder->rank, flusher,
               (struct step){.what = dice < 65 ? STEP_FLUSH : STEP_FLUSH_LOCAL,
                             .window = (uint8_t)window,
                             .target = chance(g, 40) ? TARGET_ALL : (uint8_t)place->owner});
    holder->thread = flusher;
}

static void touch_in_short_epoch(struct generator *g, struct holder *holder, uint32_t window,
                                 const struct place *place)
{
    struct step lock = {.what = STEP_LOCK,
                        .window = (uint8_t)window,
                        .target = (uint8_t)place->owner,
                        .group = ++g->group};
    lock.lock = short_lock_type(g, window);
    append(g, holder->rank, holder->thread, lock);
    if (holder->rank == place->owner && chance(g, 50)) {
        struct step own = {.what = chance(g, 45) ? STEP_LOAD : STEP_STORE, .section_count = 1};
        own.sections[0] = (struct section){place->start, place->length, 0, 1};
        append(g, holder->rank, holder->thread, own);
    } else {
        append(g, holder->rank, holder->thread, operation_at(g, window, place));
    }
    lock.what = STEP_UNLOCK;
    append(g, holder->rank, holder->thread, lock);
}

static bool touch_remotely(struct generator *g, struct holder *holder, const struct place *place)
{
    uint32_t start = below(g, MAX_WINDOWS);
    if (holder->thread && g->program->implicit_world)
        return false;
    for (uint32_t i = 0; i < MAX_WINDOWS; i++) {
        uint32_t window = (start + i) % MAX_WINDOWS;
        const struct rank_window *state = &g->windows[window][holder->rank];
        if (!window_shows(g, window, place) ||
            !(g->program->windows[window].members >> holder->rank & 1))
            continue;
        bool shared = g->program->windows[window].kind == WINDOW_SHARED;
        if (shared && holder->rank != place->owner && chance(g, 30)) {
            struct step step = {.what = chance(g, 45) ? STEP_DIRECT_LOAD : STEP_DIRECT_STORE,
                                .window = (uint8_t)window,
                                .target = (uint8_t)place->owner,
                                .section_count = 1};
            step.sections[0] = (struct section){offset_in(g, window, place), place->length, 0, 1};
            append(g, holder->rank, holder->thread, step);
            return true;
        }
        uint8_t targets = reachable(g, holder->rank, holder->thread, window);
        if (targets >> place->owner & 1 && state->held) {
            touch_in_long_epoch(g, holder, window, place);
            return true;
        }
        if (targets >> place->owner & 1) {
            append(g, holder->rank, holder->thread, operation_at(g, window, place));
            g->windows[window][holder->rank].operations = true;
            return true;
        }
        if (may_lock_shortly(g, window, holder->rank, holder->thread)) {
            touch_in_short_epoch(g, holder, window, place);
            return true;
        }
    }
    return false;
}

static void touch(struct generator *g, struct holder *holder, const struct place *place)
{
    struct step own = {.what = chance(g, 45) ? STEP_LOAD : STEP_STORE, .section_count = 1};
    own.sections[0] = (struct section){place->start, place->length, 0, 1};
    if (holder->rank == place->owner && chance(g, 60)) {
        append(g, holder->rank, holder->thread, own);
        return;
    }
    if (!touch_remotely(g, holder, place) && holder->rank == place->owner)
        append(g, holder->rank, holder->thread, own);
}

/* ---- Passing the word -------------------------------------------------------------------------
 */

static struct holder main_thread(uint32_t rank)
{
    return (struct holder){rank, 0};
}

static struct holder by_message(struct generator *g, struct holder from, uint32_t to,
                                bool backwards)
{
    struct holder next = {to, mpi_thread(g, to)};
    if ((from.rank == to && (!with_threads(g) || next.thread == from.thread)) ||
        (from.thread && g->program->implicit_world))
        return from;
    struct step send = {
        .what = STEP_SEND, .peer = (uint8_t)to, .tag = (uint16_t)++g->tag, .group = ++g->group};
    struct step receive = {
        .what = STEP_RECV, .peer = (uint8_t)from.rank, .tag = send.tag, .group = send.group};
    if (backwards) { /* a synchronous send learns that the receive has begun */
        send.what = STEP_SSEND;
        send.peer = (uint8_t)from.rank;
        receive.peer = (uint8_t)to;
        append(g, from.rank, from.thread, receive);
        append(g, to, next.thread, send);
    } else {
        append(g, from.rank, from.thread, send);
        append(g, to, next.thread, receive);
    }
    return next;
}

static struct holder by_collective(struct generator *g, struct holder from, uint32_t to)
{
    static const enum step_what kinds[] = {
        STEP_BARRIER, STEP_ALLREDUCE, STEP_ALLGATHER, STEP_ALLTOALL, STEP_REDUCE_SCATTER,
        STEP_BCAST,   STEP_SCATTER,   STEP_REDUCE,    STEP_GATHER,   STEP_SCAN,
        STEP_EXSCAN,  STEP_NEIGHBOR,  STEP_BCAST,     STEP_REDUCE};
    uint32_t comm = chance(g, 50) ? 0 : below(g, MAX_COMMS);
    uint8_t members = g->program->comms[comm];
    struct step step = {.what = kinds[below(g, 14)], .comm = (uint8_t)comm, .group = ++g->group};
    if (!(members >> from.rank & 1) || !(members >> to & 1) || from.thread)
        return from;
    bool to_root = step.what == STEP_REDUCE || step.what == STEP_GATHER;
    step.root = (uint8_t)(to_root ? to : from.rank);
    if (step.what != STEP_BARRIER && chance(g, 25))
        step.zero = (uint8_t)(1u << (chance(g, 50) ? from.rank : to));
    bool nonblocking = chance(g, 30);
    for (uint32_t r = 0; r < g->program->ranks; r++)
        if (members >> r & 1 && g->slots[r] + 2 >= MAX_SLOTS)
            nonblocking = false;
    for (int wait = 0; wait <= nonblocking; wait++)
        for (uint32_t r = 0; r < g->program->ranks; r++) {
            struct step mine = step;
            if (!(members >> r & 1))
                continue;
            if (nonblocking && !wait)
                new_slot(g, r);
            mine.slot = nonblocking ? g->slots[r] : 0;
            if (wait)
                mine = (struct step){.what = STEP_WAIT, .slot = mine.slot, .group = step.group};
            append(g, r, 0, mine);
        }
    return main_thread(to);
}

/* A flag that one updates and the other fetches. Whether the fetch sees it is up to the execution.
 */
static struct holder by_atomics(struct generator *g, struct holder from, uint32_t to)
{
    for (uint32_t window = 0; window < MAX_WINDOWS; window++) {
        struct place flag = {any_member(g, g->program->comms[0]), g->flag, 4};
        struct step step = {
            .window = (uint8_t)window, .section_count = 1, .type = TYPE_INT, .op = OP_REPLACE};
        struct holder next = main_thread(to);
        if (order_free(g) || !window_shows(g, window, &flag) || from.rank == to ||
            !(reachable(g, from.rank, from.thread, window) >> flag.owner & 1) ||
            !g->windows[window][from.rank].held || !(reachable(g, to, 0, window) >> flag.owner & 1))
            continue;
        step.target = (uint8_t)flag.owner;
        step.sections[0] = (struct section){offset_in(g, window, &flag), 4, 0, 1};
        step.what = chance(g, 50) ? STEP_ACCUMULATE : STEP_FETCH_AND_OP;
        append(g, from.rank, from.thread, step);
        struct step flush = {
            .what = STEP_FLUSH, .window = (uint8_t)window, .target = (uint8_t)flag.owner};
        if (chance(g, 70))
            append(g, from.rank, from.thread, flush);
        step.what = chance(g, 30) ? STEP_GET_ACCUMULATE : STEP_FETCH_AND_OP;
        step.op = chance(g, 70) ? ACC_NO_OP : OP_REPLACE;
        if (chance(g, 15)) {
            step.what = STEP_COMPARE_AND_SWAP;
            step.op = ACC_CAS;
        }
        append(g, to, 0, step);
        flush.what = chance(g, 50) ? STEP_FLUSH : STEP_FLUSH_LOCAL;
        append(g, to, 0, flush);
        g->windows[window][from.rank].operations = true;
        g->windows[window][to].operations = true;
        return next;
    }
    return from;
}

/* Information through a lock: one epoch writes, the next reads. The last touch may come before or
 * after the read. */
static struct holder by_lock(struct generator *g, struct holder from, uint32_t to,
                             const struct place *place, bool *touched)
{
    for (uint32_t window = 0; window < MAX_WINDOWS; window++) {
        struct place flag = {any_member(g, g->program->comms[0]), g->flag, 4};
        if (order_free(g) || from.rank == to || !window_shows(g, window, &flag) ||
            !may_lock_shortly(g, window, from.rank, from.thread) ||
            !may_lock_shortly(g, window, to, 0))
            continue;
        struct step lock = {.what = STEP_LOCK,
                            .window = (uint8_t)window,
                            .target = (uint8_t)flag.owner,
                            .group = ++g->group};
        struct step unlock = {.what = STEP_UNLOCK,
                              .window = (uint8_t)window,
                              .target = (uint8_t)flag.owner,
                              .group = lock.group};
        struct step put = {.what = STEP_PUT,
                           .window = (uint8_t)window,
                           .target = (uint8_t)flag.owner,
                           .section_count = 1};
        struct step own = {.what = STEP_STORE, .section_count = 1};
        put.sections[0] = (struct section){offset_in(g, window, &flag), 4, 0, 1};
        own.sections[0] = (struct section){flag.start, 4, 0, 1};
        own.site = chance(g, 60) ? g->flag_site : 0;
        lock.lock = short_lock_type(g, window);
        append(g, from.rank, from.thread, lock);
        if (chance(g, 85))
            append(g, from.rank, from.thread, flag.owner == from.rank && chance(g, 50) ? own : put);
        append(g, from.rank, from.thread, unlock);
        lock.group = unlock.group = ++g->group;
        lock.lock = short_lock_type(g, window);
        put.what = STEP_GET;
        own.what = STEP_LOAD;
        append(g, to, 0, lock);
        bool before = window_shows(g, window, place) && place->owner == flag.owner && chance(g, 30);
        if (before) {
            append(g, to, 0, operation_at(g, window, place));
            *touched = true;
        }
        if (chance(g, 85))
            append(g, to, 0, flag.owner == to && chance(g, 50) ? own : put);
        append(g, to, 0, unlock);
        return main_thread(to);
    }
    return from;
}

/* Post and start between two ranks, in an idle window of that kind. */
static struct holder by_groups(struct generator *g, struct holder from, uint32_t to,
                               const struct place *place)
{
    for (uint32_t window = 0; window < MAX_WINDOWS; window++) {
        uint8_t members = g->program->windows[window].members;
        if (!(g->live >> window & 1) || g->mode[window] != MODE_GROUPS || g->groups_open[window] ||
            from.rank == to || from.thread || !(members >> from.rank & 1) || !(members >> to & 1))
            continue;
        bool forwards = chance(g, 40); /* complete to wait; else post to complete */
        uint32_t origin = forwards ? from.rank : to, target = forwards ? to : from.rank;
        struct step step = {.what = STEP_POST, .window = (uint8_t)window, .group = ++g->group};
        step.members = (uint8_t)(1u << origin);
        append(g, target, 0, step);
        step.what = STEP_START;
        step.members = (uint8_t)(1u << target);
        append(g, origin, 0, step);
        struct place there = *place;
        there.owner = target;
        if (window_shows(g, window, &there))
            append(g, origin, 0, operation_at(g, window, &there));
        step.what = STEP_COMPLETE;
        append(g, origin, 0, step);
        step.what = STEP_WIN_WAIT;
        append(g, target, 0, step);
        if (!forwards) /* its wait is the target's business, and comes later for all we know */
            return main_thread(origin);
        return main_thread(target);
    }
    return from;
}

static struct holder by_fence(struct generator *g, struct holder from, uint32_t to)
{
    for (uint32_t window = 0; window < MAX_WINDOWS; window++) {
        uint8_t members = g->program->windows[window].members;
        if (g->live >> window & 1 && g->mode[window] == MODE_FENCES && !from.thread &&
            members >> from.rank & 1 && members >> to & 1 && fence(g, window))
            return main_thread(to);
    }
    return from;
}

static struct holder by_threads(struct generator *g, struct holder from)
{
    if (from.thread && chance(g, 40)) {
        thread_ends(g, from.rank, from.thread);
        return main_thread(from.rank);
    }
    if (!from.thread && g->threads && g->created[from.rank] + 1 < MAX_THREADS && chance(g, 40)) {
        thread_begins(g, from.rank);
        return (struct holder){from.rank, g->created[from.rank]};
    }
    struct holder next = {from.rank, any_thread(g, from.rank)};
    if (with_threads(g) && chance(g, 70))
        return word_to_thread(g, from.rank, from.thread, next.thread) ? next : from;
    uint32_t mutex = 2 + below(g, 2);
    if (order_free(g) || next.thread == from.thread)
        return from;
    for (int i = 0; i < 2; i++) {
        uint32_t thread = i ? next.thread : from.thread, group = ++g->group;
        append(g, from.rank, thread,
               (struct step){.what = STEP_MUTEX_LOCK, .number = (uint8_t)mutex, .group = group});
        append(g, from.rank, thread,
               (struct step){.what = STEP_MUTEX_UNLOCK, .number = (uint8_t)mutex, .group = group});
    }
    return next;
}

void handoff(struct generator *g)
{
    struct place place = choose_handoff_place(g);
    struct holder holder = {chance(g, 50) ? place.owner : below(g, g->program->ranks), 0};
    uint32_t hops = 1 + below(g, 2);
    bool touched = false;
    holder.thread = any_thread(g, holder.rank);
    touch(g, &holder, &place);
    for (uint32_t i = 0; i < hops; i++) {
        uint32_t to = chance(g, 40) ? place.owner : below(g, g->program->ranks);
        uint32_t dice = below(g, 100);
        if ((holder.thread || with_threads(g)) && chance(g, 40))
            holder = by_threads(g, holder);
        else if (dice < 24)
            holder = by_message(g, holder, to, false);
        else if (dice < 33)
            holder = by_message(g, holder, to, true);
        else if (dice < 51)
            holder = by_collective(g, holder, to);
        else if (dice < 63)
            holder = by_atomics(g, holder, to);
        else if (dice < 75)
            holder = by_lock(g, holder, to, &place, &touched);
        else if (dice < 83)
            holder = by_fence(g, holder, to);
        else if (dice < 93)
            holder = by_groups(g, holder, to, &place);
        else
            holder = by_threads(g, holder);
    }
    if (!touched || chance(g, 50))
        touch(g, &holder, &place);
}
