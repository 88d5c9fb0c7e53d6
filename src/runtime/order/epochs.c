/* Epochs as the race engine is told of them: who waits for whom, and what is complete afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "clocks.h"
#include "crossings.h"
#include "collectives.h"
#include "engine/engine.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "releases.h"
#include "rma.h"
#include "rma_window.h"
#include "session.h"

/* What the call asserts about this rank's part of the window, and where it stands; NULL: nothing.
 */
static const struct promise *promise_of(const struct call *call, struct promise *promise)
{
    *promise = (struct promise){.no_store = call->assert &MPI_MODE_NOSTORE,
                                .no_put = call->assert &MPI_MODE_NOPUT};
    if (!promise->no_store && !promise->no_put)
        return NULL;
    promise->site =
        site_recorded_call(stack_take(call->caller, call->frame), call->routine, call->routine);
    return promise;
}

/* ---- fences ---- */

static void fence_before(struct rma_window *window, struct call *call)
{
    bool no_precede = call->assert & MPI_MODE_NOPRECEDE;
    struct promise promise;
    engine_fence(session.engine, acting(), window->id, no_precede, promise_of(call, &promise));
    watched(call)->collective = no_precede ? NULL : collective_enter_all_of(window->group, true);
}

/* ---- post, start, complete, wait ---- */

static uint64_t post_topic(const struct rma_window *window)
{
    return name_mix(window->id, 'P');
}

static uint64_t complete_topic(const struct rma_window *window)
{
    return name_mix(window->id, 'C');
}

static void post_before(struct rma_window *window, struct call *call)
{
    int n;
    uint32_t *origins = world_ranks(call->group, &n);
    struct promise promise;
    engine_post(session.engine, acting(), window->id, origins, origins ? n : 0,
                promise_of(call, &promise));
    for (int i = 0; origins && i < n; i++)
        clock_post(origins[i], LETTER_POST, post_topic(window), 0);
    free(origins);
}

static void start_before(struct rma_window *window, struct call *call)
{
    int n;
    uint32_t *targets = world_ranks(call->group, &n);
    if (targets)
        engine_start(session.engine, acting(), window->id, targets, n);
    free(targets);
}

static void start_after(struct rma_window *window, struct call *call)
{
    (void)call;
    const struct window_ranks *accessed = &window->model->accessed;
    for (int i = 0; i < accessed->n; i++) {
        struct watched_target *target = rma_target(window, accessed->ranks[i]);
        if (target) {
            target->starts++;
            target->fetched = false;
        }
    }
}

static void complete_before(struct rma_window *window, struct call *call)
{
    (void)call;
    const struct window_ranks *accessed = &window->model->accessed;
    engine_complete(session.engine, acting(), window->id);
    engine_synchronised(session.engine, acting(), window->id);
    for (int i = 0; i < accessed->n; i++)
        clock_post(window->group->members[accessed->ranks[i]], LETTER_COMPLETE,
                   complete_topic(window), 0);
}

/* What was read from a target came after its post: that is known now. */
static void take_posts(const struct rma_window *window, int rank)
{
    struct watched_target *target = rma_target(window, rank);
    uint32_t world = window->group->members[rank];
    while (target && target->posts < target->starts) {
        if (target->fetched)
            clock_await(world, LETTER_POST, post_topic(window), 0);
        if (!(target->fetched ? clock_collect : clock_discard)(world, LETTER_POST,
                                                               post_topic(window)))
            break;
        target->posts++;
    }
}

static void complete_after(struct rma_window *window, struct call *call)
{
    (void)call;
    const struct window_ranks *accessed = &window->model->accessed;
    clocks_drain();
    for (int i = 0; i < accessed->n; i++)
        take_posts(window, accessed->ranks[i]);
    releases_completed(window->id, RANK_ALL);
}

static void wait_after(struct rma_window *window, struct call *call)
{
    (void)call;
    const struct window_ranks *origins = &window->model->exposed_to;
    const uint32_t *members = window->group->members;
    clocks_drain();
    for (int i = 0; i < origins->n; i++)
        clock_await(members[origins->ranks[i]], LETTER_COMPLETE, complete_topic(window), 0);
    engine_wait(session.engine, acting(), window->id);
    for (int i = 0; i < origins->n; i++)
        clock_collect(members[origins->ranks[i]], LETTER_COMPLETE, complete_topic(window));
    engine_synchronised(session.engine, acting(), window->id);
}

static void test_after(struct rma_window *window, struct call *call)
{
    if (call_int_at(call->flag, 0))
        wait_after(window, call);
}

/* ---- locks ---- */

/* Puts what an unlock contributes where the next holder finds it, before it can be granted the
 * lock. Across nodes that waits for the owner, without the session's lock. */
static void contribute(const struct rma_window *window, uint32_t owner, const void *contribution,
                       size_t size)
{
    size_t old_size, merged_size;
    const void *old = board_take(owner, window->id, &old_size);
    void *merged = engine_lock_state_merge(old, old_size, contribution, size, &merged_size);
    if (merged && !board_replace(owner, window->id, merged, merged_size))
        session_give_up_races("no memory left for the states of locks");
    else if (!merged)
        board_put_back(owner, window->id);
    free(merged);
}

/* What the engine gives is valid until it is asked something else, as other threads may do while a
 * board is waited for. */
struct contribution {
    struct contribution *next;
    uint32_t owner;
    size_t size;
    char bytes[];
};

static void contribution_keep(void *list, uint32_t owner, const void *bytes, size_t size)
{
    struct contribution **first = list, *kept = size ? malloc(sizeof *kept + size) : NULL;
    if (kept) {
        *kept = (struct contribution){*first, owner, size};
        memcpy(kept->bytes, bytes, size);
        *first = kept;
    } else if (size) {
        session_give_up_races("no memory left for the states of locks");
    }
}

static void contribute_all(const struct rma_window *window, struct contribution *list)
{
    while (list) {
        struct contribution *first = list;
        contribute(window, first->owner, first->bytes, first->size);
        list = first->next;
        free(first);
    }
}

void rma_lock_granted(const struct rma_window *window, struct watched_target *target,
                      uint32_t owner)
{
    size_t size;
    void *state = board_read(owner, window->id, &size);
    if (size)
        engine_lock_acquired(session.engine, acting(), window->id, owner, state, size);
    target->shared_only = !engine_lock_state_has_exclusive(state, size);
    target->granted = true;
    free(state);
}

static void lock_after(struct rma_window *window, struct call *call)
{
    struct watched_target *target =
        call->target == MPI_PROC_NULL ? NULL : rma_target(window, call->target);
    if (!target)
        return;
    uint32_t owner = window->group->members[call->target];
    target->granted = false;
    engine_lock(session.engine, acting(), window->id, owner,
                call->lock_type == MPI_LOCK_EXCLUSIVE ? LOCK_EXCLUSIVE : LOCK_SHARED);
    if (owner == (uint32_t)session.rank) { /* own loads may follow at once */
        rma_lock_granted(window, target, owner);
    }
}

static void unlock_before(struct rma_window *window, struct call *call)
{
    struct watched_target *target =
        call->target == MPI_PROC_NULL ? NULL : rma_target(window, call->target);
    if (!target || !target->model.lock.open)
        return;
    uint32_t owner = window->group->members[call->target];
    size_t size;
    uint32_t actor = acting();
    engine_synchronised(session.engine, actor, window->id);
    crossing_leave();
    const void *bytes = engine_unlock(session.engine, actor, window->id, owner, &size);
    target->granted = false;
    if (transport_spans_nodes()) {
        struct contribution *kept = NULL;
        contribution_keep(&kept, owner, bytes, size);
        contribute_all(window, kept);
    } else if (size) {
        contribute(window, owner, bytes, size);
    }
}

static void lock_all_after(struct rma_window *window, struct call *call)
{
    (void)call;
    engine_lock(session.engine, acting(), window->id, RANK_ALL, LOCK_SHARED);
}

static void unlock_all_before(struct rma_window *window, struct call *call)
{
    (void)call;
    if (!window->model->lock_all.open)
        return;
    struct contribution *kept = NULL;
    uint32_t actor = acting();
    engine_synchronised(session.engine, actor, window->id);
    crossing_leave();
    engine_unlock_all(session.engine, actor, window->id, contribution_keep, &kept);
    for (struct window_target *target = window->model->targets; target; target = target->hh.next)
        watched_target(target)->granted = false;
    contribute_all(window, kept);
}

/* ---- completion of operations ---- */

static uint32_t completed_target(const struct rma_window *window, const struct call *call)
{
    if (!routine_has(call->routine, ROLE_target))
        return RANK_ALL;
    return call->target >= 0 && call->target < window->group->size
               ? window->group->members[call->target]
               : UINT32_MAX - 1;
}

static void flush_before(struct rma_window *window, struct call *call)
{
    engine_flush(session.engine, acting(), window->id, completed_target(window, call));
}

static void flush_local_before(struct rma_window *window, struct call *call)
{
    engine_flush_local(session.engine, acting(), window->id, completed_target(window, call));
}

static void completed_after(struct rma_window *window, struct call *call)
{
    releases_completed(window->id, completed_target(window, call));
}

static void flush_local_after(struct rma_window *window, struct call *call)
{
    releases_completed_locally(window->id, completed_target(window, call));
}

/* ---- by verb and object of calls.def ---- */

struct meaning {
    void (*before)(struct rma_window *window, struct call *call);
    void (*after)(struct rma_window *window, struct call *call); /* it succeeded */
};

static const struct meaning opening[OBJECT_KINDS] = {
    [OBJECT_fence] = {fence_before, completed_after}, [OBJECT_access] = {start_before, start_after},
    [OBJECT_exposure] = {post_before, NULL},          [OBJECT_lock] = {NULL, lock_after},
    [OBJECT_lock_all] = {NULL, lock_all_after},
};

static const struct meaning closing[OBJECT_KINDS] = {
    [OBJECT_access] = {complete_before, complete_after},
    [OBJECT_exposure] = {NULL, wait_after},
    [OBJECT_lock] = {unlock_before, completed_after},
    [OBJECT_lock_all] = {unlock_all_before, completed_after},
};

static const struct meaning testing = {NULL, test_after};
static const struct meaning flushing = {flush_before, completed_after};
static const struct meaning flushing_locally = {flush_local_before, flush_local_after};

static const struct meaning *meaning_of(const struct routine *routine)
{
    switch (routine->verb) {
    case VERB_opens:
        return &opening[routine->object];
    case VERB_closes:
        return &closing[routine->object];
    case VERB_flushes:
        return &flushing;
    case VERB_flushes_local:
        return &flushing_locally;
    default:
        return &testing; /* MPI_Win_test */
    }
}

void rma_sync_before(struct call *call)
{
    struct rma_window *window = rma_window_find(call->win);
    const struct meaning *meaning = meaning_of(call->routine);
    watched(call)->collective = NULL;
    if (window && meaning->before)
        meaning->before(window, call);
}

void rma_sync_after(struct call *call)
{
    const struct meaning *meaning = meaning_of(call->routine);
    clocks_drain_sometimes();
    collective_leave(watched(call)->collective);
    struct rma_window *window = rma_window_find(call->win);
    if (window && meaning->after)
        meaning->after(window, call);
}
