/* Windows, their epochs and flushes. */
#include "execute_state.h"

#include <string.h>

static bool target_matches(uint32_t wanted, uint32_t target)
{
    return wanted == TARGET_ALL || wanted == target;
}

static bool any_held(const struct window_state *state, uint32_t origin, uint32_t target)
{
    for (uint32_t t = 0; t < MAX_RANKS; t++)
        if (target_matches(target, t) && state->held[origin][t])
            return true;
    return false;
}

/* ---- Constructors -----------------------------------------------------------------------------
 */

static enum progress win_create(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    const struct program_window *window = &x->program->windows[step->window];
    if (!actor->entered) {
        if (!window->exists || !(window->members >> actor->rank & 1) ||
            state->creating >> actor->rank & 1)
            return illegal(x, "window cannot be created");
        actor->entered = true;
        state->creating |= (uint8_t)(1u << actor->rank);
        emit(x, actor, EVENT_WIN_CREATE, step->window, step);
        return STEP_ENTERED;
    }
    if (state->creating != window->members)
        return STEP_BLOCKED;
    state->live |= (uint8_t)(1u << actor->rank);
    emit(x, actor, EVENT_WIN_CREATE_DONE, step->window, step);
    return STEP_OVER;
}

static enum progress win_free(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    if (!actor->entered) {
        if (!(state->live >> actor->rank & 1) || state->freeing >> actor->rank & 1 ||
            state->fence_operations[actor->rank] || any_held(state, actor->rank, TARGET_ALL) ||
            state->started[actor->rank] || state->posted[actor->rank])
            return illegal(x, "window cannot be freed");
        actor->entered = true;
        state->freeing |= (uint8_t)(1u << actor->rank);
        emit(x, actor, EVENT_WIN_FREE, step->window, step);
        return STEP_ENTERED;
    }
    if (state->freeing != x->program->windows[step->window].members)
        return STEP_BLOCKED;
    emit(x, actor, EVENT_WIN_FREE_DONE, step->window, step);
    return STEP_OVER;
}

static enum progress attach(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint8_t *attached = state->attached[actor->rank];
    const struct section *bytes = &step->sections[0];
    bool on = step->what == STEP_ATTACH;
    if (x->program->windows[step->window].kind != WINDOW_DYNAMIC || step->section_count != 1 ||
        bytes->count != 1 || section_end(bytes) > x->program->memory ||
        !(state->live >> actor->rank & 1) || state->freeing >> actor->rank & 1)
        return illegal(x, "cannot attach or detach");
    for (uint64_t b = bytes->start; b < section_end(bytes); b++)
        if (!attached[b] != on)
            return illegal(x, "attached twice or not at all");
    memset(attached + bytes->start, on, bytes->length);
    emit(x, actor, on ? EVENT_ATTACH : EVENT_DETACH, step->window, step);
    return STEP_OVER;
}

/* ---- Fence ------------------------------------------------------------------------------------
 */

static bool fence_flags_agree(struct window_state *state, uint32_t number, bool no_precede)
{
    uint64_t bit = (uint64_t)1 << (number & 63);
    if (!(state->no_precede_known & bit)) {
        state->no_precede_known |= bit;
        state->no_precede |= no_precede ? bit : 0;
    }
    return !(state->no_precede & bit) == !no_precede;
}

static enum progress fence(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint8_t members = x->program->windows[step->window].members;
    uint32_t rank = actor->rank;
    if (!actor->entered) {
        if (!(state->live >> rank & 1) || state->freeing >> rank & 1 ||
            any_held(state, rank, TARGET_ALL) || state->started[rank] || state->posted[rank] ||
            state->fences[rank] >= 63)
            return illegal(x, "fence in another epoch");
        if (!fence_flags_agree(state, state->fences[rank], step->no_precede) ||
            (step->no_precede && state->fence_operations[rank]))
            return illegal(x, "wrong use of no_precede");
        actor->entered = true;
        state->fence_operations[rank] = 0;
        local_completion(x, actor, step, step->window, TARGET_ALL, true);
        state->fences[rank]++;
        emit(x, actor, EVENT_FENCE, step->window, step);
        return STEP_ENTERED;
    }
    if (!step->no_precede) {
        for (uint32_t r = 0; r < x->program->ranks; r++)
            if (members >> r & 1 && state->fences[r] < state->fences[rank])
                return STEP_BLOCKED;
        /* Who is through the next fence already may have issued operations of the next epoch:
         * executing these now too is legal, their target has opened it. */
        execute_pending(x, step->window, rank, TARGET_ALL, false);
        execute_pending(x, step->window, TARGET_ALL, rank, false);
    }
    emit(x, actor, EVENT_FENCE_DONE, step->window, step);
    return STEP_OVER;
}

/* ---- Post, start, complete, wait --------------------------------------------------------------
 */

static enum progress post(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint32_t rank = actor->rank;
    if (!(state->live >> rank & 1) || state->posted[rank] || state->fence_operations[rank] ||
        step->members & ~x->program->windows[step->window].members)
        return illegal(x, "wrong post");
    state->posted[rank] = true;
    state->exposure[rank] = step->members;
    for (uint32_t o = 0; o < x->program->ranks; o++)
        state->posts[rank][o] += step->members >> o & 1;
    emit(x, actor, EVENT_POST, step->window, step);
    return STEP_OVER;
}

static enum progress start(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint32_t rank = actor->rank;
    if (!(state->live >> rank & 1) || state->started[rank] || state->fence_operations[rank] ||
        any_held(state, rank, TARGET_ALL) ||
        step->members & ~x->program->windows[step->window].members)
        return illegal(x, "wrong start");
    state->started[rank] = true;
    state->access[rank] = step->members;
    for (uint32_t t = 0; t < x->program->ranks; t++)
        state->starts[rank][t] += step->members >> t & 1;
    emit(x, actor, EVENT_START, step->window, step);
    return STEP_OVER;
}

/* Data has to come back from this target before the epoch can be completed. */
static bool waits_for_data(const struct execution *x, uint32_t window, uint32_t origin,
                           uint32_t target)
{
    const struct window_state *state = &x->windows[window];
    for (size_t i = 0; i < x->trace->operation_count; i++) {
        const struct trace_operation *operation = &x->trace->operations[i];
        if (operation->rank == origin && operation->step->window == window &&
            operation->step->target == target && x->operations[i].mode == MODE_PSCW &&
            x->operations[i].epoch == state->starts[origin][target] &&
            (operation->step->what == STEP_GET || operation_fetches(operation->step)))
            return true;
    }
    return false;
}

static enum progress complete(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint32_t rank = actor->rank;
    if (!actor->entered) {
        if (!state->started[rank])
            return illegal(x, "complete without start");
        actor->entered = true;
        local_completion(x, actor, step, step->window, TARGET_ALL, true);
        emit(x, actor, EVENT_COMPLETE, step->window, step);
        return STEP_ENTERED;
    }
    for (uint32_t t = 0; t < x->program->ranks; t++)
        if (state->access[rank] >> t & 1 && state->posts[t][rank] < state->starts[rank][t] &&
            waits_for_data(x, step->window, rank, t))
            return STEP_BLOCKED;
    execute_pending(x, step->window, rank, TARGET_ALL, true);
    for (uint32_t t = 0; t < x->program->ranks; t++)
        state->completes[rank][t] += state->access[rank] >> t & 1;
    state->started[rank] = false;
    emit(x, actor, EVENT_COMPLETE_DONE, step->window, step);
    return STEP_OVER;
}

static enum progress win_wait(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint32_t rank = actor->rank;
    if (!state->posted[rank])
        return illegal(x, "wait without post");
    for (uint32_t o = 0; o < x->program->ranks; o++)
        if (state->exposure[rank] >> o & 1 && state->completes[o][rank] < state->posts[rank][o])
            return STEP_BLOCKED;
    execute_pending(x, step->window, TARGET_ALL, rank, false);
    state->posted[rank] = false;
    emit(x, actor, EVENT_WAIT_DONE, step->window, step);
    return STEP_OVER;
}

/* ---- Locks and flushes ------------------------------------------------------------------------
 */

static bool grantable(const struct execution *x, const struct step *step)
{
    const struct window_state *state = &x->windows[step->window];
    for (uint32_t t = 0; t < x->program->ranks; t++)
        for (uint32_t o = 0; o < x->program->ranks; o++)
            if (target_matches(step->target, t) && state->held[o][t] &&
                (state->held[o][t] == LOCK_EXCLUSIVE || step->lock == LOCK_EXCLUSIVE))
                return false;
    return true;
}

static enum progress lock(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint32_t rank = actor->rank;
    uint8_t members = x->program->windows[step->window].members;
    if (!(state->live >> rank & 1) || state->freeing >> rank & 1 ||
        any_held(state, rank, step->target) || state->started[rank] ||
        state->fence_operations[rank] ||
        (step->target == TARGET_ALL && step->lock == LOCK_EXCLUSIVE) ||
        (step->target != TARGET_ALL && !(members >> step->target & 1)) || !step->lock)
        return illegal(x, "wrong lock");
    if (!grantable(x, step))
        return STEP_BLOCKED;
    for (uint32_t t = 0; t < x->program->ranks; t++)
        if (target_matches(step->target, t) && members >> t & 1)
            state->held[rank][t] = step->lock;
    state->locked_all[rank] = step->target == TARGET_ALL;
    emit(x, actor, EVENT_LOCKED, step->window, step);
    return STEP_OVER;
}

static enum progress unlock(struct execution *x, struct actor *actor, const struct step *step)
{
    struct window_state *state = &x->windows[step->window];
    uint32_t rank = actor->rank;
    if (!actor->entered) {
        if (!any_held(state, rank, step->target) ||
            state->locked_all[rank] != (step->target == TARGET_ALL))
            return illegal(x, "unlock of what is not locked");
        actor->entered = true;
        local_completion(x, actor, step, step->window, step->target, true);
        emit(x, actor, EVENT_UNLOCK, step->window, step);
        return STEP_ENTERED;
    }
    execute_pending(x, step->window, rank, step->target, false);
    for (uint32_t t = 0; t < x->program->ranks; t++)
        if (target_matches(step->target, t))
            state->held[rank][t] = LOCK_NONE;
    state->locked_all[rank] = false;
    emit(x, actor, EVENT_UNLOCK_DONE, step->window, step);
    return STEP_OVER;
}

static enum progress flush(struct execution *x, struct actor *actor, const struct step *step)
{
    bool local = step->what == STEP_FLUSH_LOCAL;
    if (!actor->entered) {
        if (!any_held(&x->windows[step->window], actor->rank, step->target))
            return illegal(x, "flush without lock");
        actor->entered = true;
        local_completion(x, actor, step, step->window, step->target, false);
        emit(x, actor, local ? EVENT_FLUSH_LOCAL : EVENT_FLUSH, step->window, step);
        return STEP_ENTERED;
    }
    execute_pending(x, step->window, actor->rank, step->target, local);
    emit(x, actor, local ? EVENT_FLUSH_LOCAL_DONE : EVENT_FLUSH_DONE, step->window, step);
    return STEP_OVER;
}

enum progress epoch_step(struct execution *x, struct actor *actor, const struct step *step)
{
    switch (step->what) {
    case STEP_WIN_CREATE:
        return win_create(x, actor, step);
    case STEP_WIN_FREE:
        return win_free(x, actor, step);
    case STEP_ATTACH:
    case STEP_DETACH:
        return attach(x, actor, step);
    case STEP_FENCE:
        return fence(x, actor, step);
    case STEP_POST:
        return post(x, actor, step);
    case STEP_START:
        return start(x, actor, step);
    case STEP_COMPLETE:
        return complete(x, actor, step);
    case STEP_WIN_WAIT:
        return win_wait(x, actor, step);
    case STEP_LOCK:
        return lock(x, actor, step);
    case STEP_UNLOCK:
        return unlock(x, actor, step);
    case STEP_FLUSH:
    case STEP_FLUSH_LOCAL:
        return flush(x, actor, step);
    default:
        return illegal(x, "no such step");
    }
}
