/* Epochs: fences, post … wait, locks, flushes. */
#include "window.h"

static enum outcome done(const struct call *c)
{
    return failed(c) ? STOPS : OVER;
}

/* What the call asserts about its process's part of the window; NULL: nothing. */
static const struct promise *promise_of(struct call *c, struct promise *promise)
{
    const struct numbers *numbers = &c->w->mpi->numbers;
    int64_t asserted = number_with(c, ROLE_assert);
    *promise = (struct promise){.no_store = asserted & numbers->no_store,
                                .no_put = asserted & numbers->no_put};
    if (failed(c) || (!promise->no_store && !promise->no_put))
        return NULL;
    promise->site = site_here(c->w, c->p, c->function->routine, NULL);
    return promise;
}

static enum outcome fence(struct call *c, struct window *window)
{
    struct gathering *g;
    int mine, me = c->p->rank;
    const int64_t none[4] = {0};
    bool no_precede = number_with(c, ROLE_assert) & c->w->mpi->numbers.no_precede;
    if (failed(c))
        return STOPS;
    if (c->p->phase == 0) {
        struct promise promise;
        bool last = number_with(c, ROLE_assert) & c->w->mpi->numbers.no_succeed;
        buffers_over(c, window, -1);
        engine_fence(c->p->engine, 0, window->name, no_precede, promise_of(c, &promise));
        window->fences[me]++;
        window->no_succeed[me] = last ? site_here(c->w, c->p, c->function->routine, NULL) : 0;
    }
    if (!all_together(c, window->comm, none, !no_precede, &g, &mine))
        return failed(c) ? STOPS : WAITS;
    operations_over(c, window, -1);
    return done(c);
}

static size_t group_ranks(struct call *c, uint32_t *ranks)
{
    int number = object_of(c, KIND_GROUP, address_with(c, ROLE_group));
    if (!failed(c) && number < 0)
        wrong(c);
    if (failed(c))
        return 0;
    const struct group *group = c->w->mpi->groups.at[number];
    for (size_t i = 0; i < group->ranks.n; i++)
        ranks[i] = (uint32_t)group->ranks.at[i];
    return group->ranks.n;
}

static enum outcome post(struct call *c, struct window *window)
{
    uint32_t ranks[MOST_PROCESSES];
    size_t n = group_ranks(c, ranks);
    int me = c->p->rank;
    if (failed(c))
        return STOPS;
    if (window->exposed[me])
        return wrong(c);
    struct promise promise;
    engine_post(c->p->engine, 0, window->name, ranks, n, promise_of(c, &promise));
    window->exposed[me] = true;
    for (size_t i = 0; i < n; i++) {
        window->posted[me][ranks[i]] = true;
        ADD(&window->pairs[ranks[i]][me].posts, clock_now(c->p));
    }
    return done(c);
}

static enum outcome start(struct call *c, struct window *window)
{
    uint32_t ranks[MOST_PROCESSES];
    size_t n = group_ranks(c, ranks);
    int me = c->p->rank;
    if (failed(c))
        return STOPS;
    for (size_t i = 0; i < n; i++)
        if (window->pairs[me][ranks[i]].posts.n <= window->pairs[me][ranks[i]].starts)
            return WAITS;
    engine_start(c->p->engine, 0, window->name, ranks, n);
    for (size_t i = 0; i < n; i++) {
        window->started[me][ranks[i]] = true;
        window->pairs[me][ranks[i]].starts++;
    }
    return done(c);
}

static enum outcome complete(struct call *c, struct window *window)
{
    int me = c->p->rank;
    buffers_over(c, window, -1);
    engine_complete(c->p->engine, 0, window->name);
    engine_synchronised(c->p->engine, 0, window->name);
    for (int t = 0; t < c->w->n; t++)
        if (window->started[me][t])
            ADD(&window->pairs[me][t].completes, clock_now(c->p));
    for (int t = 0; t < c->w->n; t++) {
        struct pair_state *pair = &window->pairs[me][t];
        if (window->started[me][t] && window->fetched[me][t])
            learn(c->p, &pair->posts.at[pair->starts - 1]);
        window->started[me][t] = window->fetched[me][t] = false;
    }
    operations_over(c, window, -1);
    return done(c);
}

static enum outcome wait(struct call *c, struct window *window, bool test)
{
    int me = c->p->rank;
    bool ready = true;
    if (!window->exposed[me])
        return wrong(c);
    for (int o = 0; o < c->w->n; o++)
        if (window->posted[me][o])
            ready &= window->pairs[o][me].completes.n > window->pairs[o][me].waits;
    if (!ready && !test)
        return WAITS;
    if (test)
        store_number(c, address_with(c, ROLE_flag), 4, ready);
    c->p->spins += !ready;
    if (!ready || failed(c))
        return done(c);
    take_in(c->p);
    engine_wait(c->p->engine, 0, window->name);
    for (int o = 0; o < c->w->n; o++)
        if (window->posted[me][o]) {
            learn(c->p, &window->pairs[o][me].completes.at[window->pairs[o][me].waits++]);
            window->posted[me][o] = false;
        }
    engine_synchronised(c->p->engine, 0, window->name);
    window->exposed[me] = false;
    c->p->spins = 0;
    return done(c);
}

/* ---- Locks ---- */

static bool lock_free(const struct world *w, const struct window *window, int target, int type)
{
    for (int o = 0; o < w->n; o++) {
        int held = window->pairs[o][target].held;
        if (held && (type == LOCK_EXCLUSIVE || held == LOCK_EXCLUSIVE))
            return false;
    }
    return true;
}

static void lock_granted(struct call *c, struct window *window, int target, int type)
{
    const struct bytes *state = &window->lock_state[target];
    window->pairs[c->p->rank][target].held = type;
    if (!state->size)
        return;
    take_in(c->p);
    engine_lock_acquired(c->p->engine, 0, window->name, (uint32_t)target, state->data, state->size);
}

static int target_of(struct call *c, const struct window *window)
{
    int64_t rank = number_with(c, ROLE_target);
    if (!failed(c) && (rank < 0 || rank >= window->comm->size))
        wrong(c);
    return failed(c) ? 0 : window->comm->ranks[rank];
}

static enum outcome lock(struct call *c, struct window *window)
{
    int target = target_of(c, window), me = c->p->rank;
    int type = number_with(c, ROLE_lock_type) == c->w->mpi->numbers.exclusive ? LOCK_EXCLUSIVE
                                                                              : LOCK_SHARED;
    if (failed(c))
        return STOPS;
    if (window->pairs[me][target].held)
        return wrong(c);
    if (!lock_free(c->w, window, target, type))
        return WAITS;
    engine_lock(c->p->engine, 0, window->name, (uint32_t)target, (enum lock_type)type);
    lock_granted(c, window, target, type);
    return OVER;
}

static enum outcome lock_all(struct call *c, struct window *window)
{
    for (int i = 0; i < window->comm->size; i++) {
        if (window->pairs[c->p->rank][window->comm->ranks[i]].held)
            return wrong(c);
        if (!lock_free(c->w, window, window->comm->ranks[i], LOCK_SHARED))
            return WAITS;
    }
    engine_lock(c->p->engine, 0, window->name, RANK_ALL, LOCK_SHARED);
    window->locked_all[c->p->rank] = true;
    for (int i = 0; i < window->comm->size; i++)
        lock_granted(c, window, window->comm->ranks[i], LOCK_SHARED);
    return OVER;
}

static void contribute(void *context, uint32_t target, const void *contribution, size_t size)
{
    struct bytes *state = &((struct window *)context)->lock_state[target];
    size_t merged_size;
    if (!size)
        return;
    void *merged =
        engine_lock_state_merge(state->data, state->size, contribution, size, &merged_size);
    free(state->data);
    *state = (struct bytes){merged, merged_size == SIZE_MAX ? 0 : merged_size};
}

static enum outcome unlock(struct call *c, struct window *window)
{
    int target = target_of(c, window), me = c->p->rank;
    size_t size;
    if (failed(c))
        return STOPS;
    if (!window->pairs[me][target].held || window->locked_all[me])
        return wrong(c);
    buffers_over(c, window, target);
    engine_synchronised(c->p->engine, 0, window->name);
    const void *contribution =
        engine_unlock(c->p->engine, 0, window->name, (uint32_t)target, &size);
    contribute(window, (uint32_t)target, contribution, size);
    window->pairs[me][target].held = LOCK_NONE;
    operations_over(c, window, target);
    return done(c);
}

static enum outcome unlock_all(struct call *c, struct window *window)
{
    int me = c->p->rank;
    if (!window->locked_all[me])
        return wrong(c);
    buffers_over(c, window, -1);
    engine_synchronised(c->p->engine, 0, window->name);
    engine_unlock_all(c->p->engine, 0, window->name, contribute, window);
    window->locked_all[me] = false;
    for (int t = 0; t < c->w->n; t++)
        window->pairs[me][t].held = LOCK_NONE;
    operations_over(c, window, -1);
    return done(c);
}

static enum outcome flush(struct call *c, struct window *window, bool local)
{
    bool all = c->function->routine->object == OBJECT_all;
    int target = all ? -1 : target_of(c, window);
    uint32_t name = all ? RANK_ALL : (uint32_t)target;
    if (failed(c))
        return STOPS;
    buffers_over(c, window, target);
    if (local)
        engine_flush_local(c->p->engine, 0, window->name, name);
    else
        engine_flush(c->p->engine, 0, window->name, name);
    operations_over(c, window, target);
    return done(c);
}

enum outcome epoch_call(struct call *c)
{
    const struct routine *routine = c->function->routine;
    struct window *window = window_at(c, argument_with(c, ROLE_win));
    if (!window)
        return STOPS;
    switch (routine->verb) {
    case VERB_flushes:
        return flush(c, window, false);
    case VERB_flushes_local:
        return flush(c, window, true);
    case VERB_syncs:
        return OVER;
    case VERB_tests:
        return wait(c, window, true);
    default:
        break;
    }
    bool opens = routine->verb == VERB_opens;
    switch (routine->object) {
    case OBJECT_fence:
        return fence(c, window);
    case OBJECT_exposure:
        return opens ? post(c, window) : wait(c, window, false);
    case OBJECT_access:
        return opens ? start(c, window) : complete(c, window);
    case OBJECT_lock:
        return opens ? lock(c, window) : unlock(c, window);
    case OBJECT_lock_all:
        return opens ? lock_all(c, window) : unlock_all(c, window);
    default:
        return STOPS;
    }
}
