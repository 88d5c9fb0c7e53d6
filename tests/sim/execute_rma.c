/* RMA operations: issue, effect at the target, local completion. */
#include "execute_state.h"

bool operation_fetches(const struct step *step)
{
    return step->what == STEP_GET_ACCUMULATE || step->what == STEP_FETCH_AND_OP ||
           step->what == STEP_COMPARE_AND_SWAP;
}

static bool bytes_are_shown(const struct execution *x, const struct step *step)
{
    const struct program_window *window = &x->program->windows[step->window];
    const struct window_state *state = &x->windows[step->window];
    for (size_t i = 0; i < step->section_count; i++) {
        uint64_t end = section_end(&step->sections[i]);
        if (window->kind != WINDOW_DYNAMIC && end > window->size[step->target])
            return false;
        if (window->kind == WINDOW_DYNAMIC && end > x->program->memory)
            return false;
        for (uint64_t b = step->sections[i].start; b < end; b++)
            if (window->kind == WINDOW_DYNAMIC && !state->attached[step->target][b])
                return false;
    }
    return true;
}

static bool window_usable(const struct execution *x, uint32_t window, uint32_t rank)
{
    const struct window_state *state = &x->windows[window];
    return state->live >> rank & 1 && !(state->freeing >> rank & 1);
}

static enum progress request_begin(struct execution *x, struct actor *actor,
                                   const struct step *step, uint32_t id)
{
    struct request_state *request = &x->requests[actor->rank][step->slot];
    if (!step->slot)
        return STEP_OVER;
    if (request->kind != REQUEST_NONE)
        return illegal(x, "request slot in use");
    *request = (struct request_state){REQUEST_RMA, id, {NO_ID, NO_ID}};
    return STEP_OVER;
}

enum progress rma_issue(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    struct operation_state operation = {.buffers = {NO_ID, NO_ID}};
    uint32_t origin = actor->rank, target = step->target;
    if (target >= x->program->ranks || !window_usable(x, step->window, origin) ||
        !(x->program->windows[step->window].members >> target & 1))
        return illegal(x, "operation on a window that is not there");
    if (!bytes_are_shown(x, step))
        return illegal(x, "operation outside of the window");
    if (state->held[origin][target]) {
        operation.mode = MODE_LOCK;
    } else if (state->started[origin] && state->access[origin] >> target & 1) {
        operation.mode = MODE_PSCW;
        operation.epoch = state->starts[origin][target];
    } else if (state->fences[origin] && !state->started[origin]) {
        operation.mode = MODE_FENCE;
        operation.epoch = state->fences[origin];
        state->fence_operations[origin]++;
    } else {
        return illegal(x, "operation outside of any epoch");
    }
    if (step->slot && operation.mode != MODE_LOCK)
        return illegal(x, "request-based operation outside of a lock epoch");
    operation.pending = step->what >= STEP_ACCUMULATE;
    struct trace *trace = x->trace;
    uint32_t id = TRACE_ADD(trace->operations, trace->operation_count, trace->operation_capacity,
                            (struct trace_operation){step, actor->rank, actor->thread, false});
    emit(x, actor, EVENT_RMA, id, step);
    buffers_begin(x, actor, step, operation.buffers);
    size_t count = id;
    TRACE_ADD(x->operations, count, x->operation_capacity, operation);
    return request_begin(x, actor, step, id);
}

/* ---- Effect at the target ---------------------------------------------------------------------
 */

static bool can_execute(const struct execution *x, uint32_t id)
{
    const struct trace_operation *operation = &x->trace->operations[id];
    const struct operation_state *state = &x->operations[id];
    const struct window_state *window = &x->windows[operation->step->window];
    uint32_t target = operation->step->target;
    if (state->mode == MODE_PSCW)
        return window->posts[target][operation->rank] >= state->epoch;
    return state->mode == MODE_LOCK || window->fences[target] >= state->epoch;
}

static bool same_channel(const struct execution *x, uint32_t a, uint32_t b)
{
    const struct trace_operation *p = &x->trace->operations[a], *q = &x->trace->operations[b];
    return p->rank == q->rank && p->step->window == q->step->window &&
           p->step->target == q->step->target;
}

void operation_execute(struct execution *x, uint32_t id)
{
    struct trace_operation *operation = &x->trace->operations[id];
    const struct actor origin = {.rank = operation->rank, .thread = operation->thread};
    operation->updated = operation->step->op != ACC_NO_OP;
    if (operation->step->what == STEP_COMPARE_AND_SWAP)
        operation->updated = random_chance(&x->random, 60);
    x->operations[id].pending = false;
    emit(x, &origin, EVENT_EXECUTED, id, operation->step);
}

/* Accumulates of one origin at one target keep their order (accumulate_ordering's default). */
bool execute_some_pending(struct execution *x)
{
    size_t count = x->trace->operation_count;
    if (!count)
        return false;
    size_t start = random_below(&x->random, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        uint32_t id = (uint32_t)((start + i) % count);
        if (!x->operations[id].pending)
            continue;
        for (uint32_t before = 0; before < id; before++)
            if (x->operations[before].pending && same_channel(x, before, id)) {
                id = before;
                break;
            }
        if (can_execute(x, id)) {
            operation_execute(x, id);
            return true;
        }
    }
    return false;
}

/* Everything that is pending from origin to target (either may be TARGET_ALL); with `fetching_only`
 * just as much as the fetching ones need. */
void execute_pending(struct execution *x, uint32_t window, uint32_t origin, uint32_t target,
                     bool fetching_only)
{
    for (uint32_t id = 0; id < x->trace->operation_count; id++) {
        const struct trace_operation *operation = &x->trace->operations[id];
        if (!x->operations[id].pending || operation->step->window != window ||
            (origin != TARGET_ALL && operation->rank != origin) ||
            (target != TARGET_ALL && operation->step->target != target))
            continue;
        bool wanted = !fetching_only || operation_fetches(operation->step);
        for (uint32_t later = id + 1; !wanted && later < x->trace->operation_count; later++)
            wanted = x->operations[later].pending && same_channel(x, id, later) &&
                     operation_fetches(x->trace->operations[later].step);
        if (wanted && can_execute(x, id))
            operation_execute(x, id);
    }
}

/* ---- Completion at the origin -----------------------------------------------------------------
 */

/* The buffers of the operations that this call completes are free. A flush speaks for the thread
 * that calls it; a call that closes the epoch for the whole process. */
void local_completion(struct execution *x, const struct actor *actor, const struct step *step,
                      uint32_t window, uint32_t target, bool whole_process)
{
    for (uint32_t id = 0; id < x->trace->operation_count; id++) {
        const struct trace_operation *operation = &x->trace->operations[id];
        if (x->operations[id].locally_done || operation->rank != actor->rank ||
            operation->step->window != window ||
            (target != TARGET_ALL && operation->step->target != target) ||
            (!whole_process && operation->thread != actor->thread))
            continue;
        buffers_end(x, actor, step, x->operations[id].buffers);
        x->operations[id].locally_done = true;
    }
}

enum progress direct_access(struct execution *x, struct actor *actor, const struct step *step)
{
    const struct program_window *window = &x->program->windows[step->window];
    if (window->kind != WINDOW_SHARED || step->target == actor->rank || step->section_count != 1 ||
        !(window->members >> step->target & 1) || !window_usable(x, step->window, actor->rank) ||
        !bytes_are_shown(x, step))
        return illegal(x, "direct access to what is no shared segment");
    emit(x, actor, EVENT_ACCESS, 0, step);
    return STEP_OVER;
}
