/* Accesses, operations, locks and atomics. */
#include "drive_state.h"
#include "mutants.h"

#include <stdlib.h>
#include <string.h>

/* ---- Locks ------------------------------------------------------------------------------------
 */

static void hand_over_lock(struct driver *d, uint32_t rank, uint32_t thread, uint32_t window,
                           uint32_t target)
{
    struct lock_memory *lock = &d->locks[window][target];
    if (!lock->to_hand_over[rank])
        return;
    lock->to_hand_over[rank] = false;
    take_in(d, rank);
    if (!engine_lock_acquired(d->engines[rank], thread, window_name(window), target,
                              lock->granted[rank].data, lock->granted[rank].size))
        drive_complain(d, "a lock's state was refused");
}

static bool locks_target(const struct driver *d, const struct trace_event *event, uint32_t target)
{
    return (event->step->target == TARGET_ALL || event->step->target == target) &&
           d->program->windows[event->id].members >> target & 1;
}

static void lock_granted(struct driver *d, const struct trace_event *event)
{
    uint32_t rank = event->rank;
    uint32_t target = event->step->target == TARGET_ALL ? RANK_ALL : event->step->target;
    engine_lock(d->engines[rank], event->thread, window_name(event->id), target,
                (enum lock_type)event->step->lock);
    for (uint32_t t = 0; t < d->program->ranks; t++) {
        struct lock_memory *lock = &d->locks[event->id][t];
        if (!locks_target(d, event, t) || !lock->state.size)
            continue;
        bytes_set(&lock->granted[rank], lock->state.data, lock->state.size);
        lock->to_hand_over[rank] = true;
        if (!random_chance(&d->random, d->laziness))
            hand_over_lock(d, rank, event->thread, event->id, t);
    }
}

struct contribution_context {
    struct driver *driver;
    uint32_t rank, window;
};

static void contribute(void *context, uint32_t target, const void *contribution, size_t size)
{
    struct contribution_context *c = context;
    bytes_set(&c->driver->locks[c->window][target].contributed[c->rank], contribution, size);
}

static void unlock_entered(struct driver *d, const struct trace_event *event)
{
    struct contribution_context context = {d, event->rank, event->id};
    struct engine *engine = d->engines[event->rank];
    size_t size;
    if (event->step->target == TARGET_ALL) {
        engine_unlock_all(engine, event->thread, window_name(event->id), contribute, &context);
    } else {
        const void *contribution = engine_unlock(engine, event->thread, window_name(event->id),
                                                 event->step->target, &size);
        contribute(&context, event->step->target, contribution, size);
    }
    for (uint32_t t = 0; t < d->program->ranks; t++)
        if (locks_target(d, event, t))
            d->locks[event->id][t].to_hand_over[event->rank] = false;
    if (!random_chance(&d->random, d->laziness))
        settle(d, event->rank);
}

static void unlock_returned(struct driver *d, const struct trace_event *event)
{
    settle(d, event->rank);
    for (uint32_t t = 0; t < d->program->ranks; t++) {
        struct lock_memory *lock = &d->locks[event->id][t];
        struct bytes *contribution = &lock->contributed[event->rank];
        size_t size;
        if (!locks_target(d, event, t) || !contribution->size)
            continue;
        void *merged = engine_lock_state_merge(lock->state.data, lock->state.size,
                                               contribution->data, contribution->size, &size);
        if (size == SIZE_MAX)
            drive_complain(d, "lock states could not be merged");
        free(lock->state.data);
        lock->state = (struct bytes){merged, size == SIZE_MAX ? 0 : size};
        contribution->size = 0;
    }
    drive_returned(d, event, event->step->target, true, true);
}

void drive_lock(struct driver *d, const struct trace_event *event)
{
    if (event->what == EVENT_LOCKED)
        lock_granted(d, event);
    else if (event->what == EVENT_UNLOCK)
        unlock_entered(d, event);
    else
        unlock_returned(d, event);
}

/* ---- Accesses and operations ------------------------------------------------------------------
 */

void drive_access(struct driver *d, const struct trace_event *event)
{
    const struct step *step = event->step;
    struct engine *engine = d->engines[event->rank];
    const struct section *bytes = &step->sections[0];
    uint64_t address = d->program->base[event->rank] + bytes->start;
    switch (step->what) {
    case STEP_LOAD:
        for (uint32_t w = 0; w < MAX_WINDOWS; w++)
            hand_over_lock(d, event->rank, event->thread, w, event->rank);
        engine_load(engine, event->thread, address, bytes->length, step->site);
        break;
    case STEP_STORE:
        engine_store(engine, event->thread, address, bytes->length, step->site);
        break;
    default:
        if (step->what == STEP_DIRECT_LOAD)
            hand_over_lock(d, event->rank, event->thread, step->window, step->target);
        engine_direct(engine, event->thread, window_name(step->window), step->target, bytes,
                      step->what == STEP_DIRECT_STORE, step->site);
        settle(d, event->rank);
        break;
    }
}

static bool reads(const struct step *step)
{
    return step->section_count && (step->what == STEP_GET || step->what >= STEP_GET_ACCUMULATE);
}

void drive_rma(struct driver *d, const struct trace_event *event)
{
    const struct step *step = event->step;
    struct driven_operation *operation = &d->operations[event->id];
    struct section sections[MAX_SECTIONS];
    bool accumulate = step->what >= STEP_ACCUMULATE;
    bool dynamic = d->program->windows[step->window].kind == WINDOW_DYNAMIC;
    if (reads(step)) {
        hand_over_lock(d, event->rank, event->thread, step->window, step->target);
        if (d->started[step->window][event->rank] >> step->target & 1)
            d->fetched[step->window][event->rank] |= (uint8_t)(1u << step->target);
    }
    for (size_t i = 0; i < step->section_count; i++) {
        sections[i] = step->sections[i];
        sections[i].start += dynamic ? d->program->base[step->target] : 0;
    }
    const struct rma_op op = {
        .kind = step_access_kind(step->what),
        .window = window_name(step->window),
        .target = step->target,
        .op = step->op,
        .type = accumulate ? step->type : 0,
        .type_size = accumulate ? type_bytes[step->type] : 1,
        .sections = sections,
        .section_count = step->section_count,
        .site = step->site,
    };
    if (accumulate)
        operation->stamp =
            engine_update_begin(d->engines[event->rank], event->thread, !d->result->late);
    operation->request = engine_rma(d->engines[event->rank], event->thread, &op, step->slot != 0);
    operation->issued = true;
    operation->thread = event->thread;
    if (accumulate && !d->result->late)
        engine_hand_over(d->engines[event->rank], op.window, op.target);
    if (accumulate && step->op != ACC_NO_OP)
        operation->issue_clock = clock_of(d, event->rank, event->thread);
    settle(d, event->rank);
}

/* ---- Atomics ----------------------------------------------------------------------------------
 */

static bool covers(const struct program *program, const struct step *step, uint64_t byte)
{
    const struct program_window *window = &program->windows[step->window];
    uint64_t base = window->kind == WINDOW_DYNAMIC ? 0 : window->at[step->target];
    for (size_t s = 0; s < step->section_count; s++) {
        const struct section *section = &step->sections[s];
        uint64_t from = base + section->start;
        uint64_t spacing = section->count > 1 ? section->stride : section->length;
        if (byte >= from && (byte - from) / spacing < section->count &&
            (byte - from) % spacing < section->length)
            return true;
    }
    return false;
}

/* The next run of bytes of the target's memory, from `run->start` on, that both touch. */
static bool next_shared(const struct program *program, const struct step *a, const struct step *b,
                        struct section *run)
{
    if (a->target != b->target)
        return false;
    uint64_t byte = run->start;
    while (byte < program->memory && !(covers(program, a, byte) && covers(program, b, byte)))
        byte++;
    *run = (struct section){byte, 0, 0, 1};
    while (byte < program->memory && covers(program, a, byte) && covers(program, b, byte))
        byte++;
    run->length = byte - run->start;
    return run->length > 0;
}

/* The update is over at the bytes that it shares with the fetch. */
static void see(struct driver *d, const struct trace_event *event, const struct step *fetch,
                uint32_t id)
{
    const struct trace_operation *update = &d->trace->operations[id];
    const struct update_seen seen = {update->rank, update->thread, d->operations[id].stamp};
    const struct program_window *window = &d->program->windows[fetch->window];
    struct section run = {0};
    while (next_shared(d->program, fetch, update->step, &run)) {
        struct section bytes = run;
        if (window->kind == WINDOW_DYNAMIC)
            bytes.start += d->program->base[fetch->target];
        else
            bytes.start -= window->at[fetch->target];
        engine_updates_seen(d->engines[event->rank], event->thread, window_name(fetch->window),
                            fetch->target, &bytes, &seen, 1);
        run.start += run.length;
    }
}

void drive_executed(struct driver *d, const struct trace_event *event)
{
    struct driven_operation *operation = &d->operations[event->id];
    operation->executed = true;
    operation->seen = d->release_count;
    if (d->trace->operations[event->id].updated) {
        TRACE_ADD(d->releases, d->release_count, d->release_capacity,
                  (struct release){event->id, operation->issue_clock});
        operation->issue_clock = (struct bytes){NULL, 0};
    }
}

static void acquire(struct driver *d, const struct trace_event *event, uint32_t id)
{
    struct driven_operation *operation = &d->operations[id];
    const struct step *fetch = d->trace->operations[id].step;
    if (operation->acquired || !operation->executed)
        return;
    operation->acquired = true;
    if (fetch->what < STEP_GET_ACCUMULATE)
        return;
    for (size_t i = 0; i < operation->seen; i++) {
        uint32_t update = d->releases[i].operation;
        struct section run = {0};
        if (!next_shared(d->program, fetch, d->trace->operations[update].step, &run))
            continue;
        learn(d, event->rank, event->thread, &d->releases[i].clock, 1);
        see(d, event, fetch, update);
    }
    settle(d, event->rank);
}

/* A completing call returns: the fetches have seen what they saw. Nothing is told of the updates:
 * whoever could see that they are over has seen them. */
void drive_returned(struct driver *d, const struct trace_event *event, uint32_t target, bool remote,
                    bool closing)
{
    for (int round = 0; round < 2; round++)
        for (uint32_t id = 0; id < d->trace->operation_count; id++) {
            struct driven_operation *operation = &d->operations[id];
            const struct trace_operation *issued = &d->trace->operations[id];
            if (!operation->issued || issued->rank != event->rank ||
                issued->step->window != event->id ||
                (target != TARGET_ALL && issued->step->target != target) ||
                (!closing && issued->thread != event->thread))
                continue;
            if (round == 0) {
                acquire(d, event, id);
            } else if (remote && !operation->over) {
                operation->over = true;
                if (issued->updated && MUTANT(flush_published))
                    TRACE_ADD(d->releases, d->release_count, d->release_capacity,
                              (struct release){id, clock_of(d, event->rank, event->thread)});
            }
        }
}

void drive_request(struct driver *d, const struct trace_event *event)
{
    struct driven_operation *operation = &d->operations[event->id];
    if (event->what == EVENT_REQUEST_FREE) {
        engine_request_free(d->engines[event->rank], operation->request);
        return;
    }
    engine_request_complete(d->engines[event->rank], event->thread, operation->request);
    settle(d, event->rank);
    acquire(d, event, event->id);
}

/* ---- Buffers ----------------------------------------------------------------------------------
 */

void drive_buffer(struct driver *d, const struct trace_event *event)
{
    const struct trace_buffer *buffer = &d->trace->buffers[event->id];
    struct section bytes = buffer->bytes;
    bytes.start += d->program->base[event->rank];
    if (event->what == EVENT_BUFFER_BEGIN)
        d->buffers[event->id] = engine_buffer_begin(d->engines[event->rank], event->thread, &bytes,
                                                    1, buffer->write, buffer->site);
    else if (d->buffers[event->id])
        engine_buffer_end(d->engines[event->rank], event->thread, d->buffers[event->id]);
}
