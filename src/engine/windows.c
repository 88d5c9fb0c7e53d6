#include <stdlib.h>
#include <string.h>
#include "internal.h"

struct window_state *window_find(const struct engine *engine, window_t window)
{
    struct window_state *found;
    HASH_FIND(hh, engine->windows, &window, sizeof window, found);
    return found;
}

static uint32_t *copy_of_ranks(const uint32_t *ranks, size_t count)
{
    uint32_t *copy = allocate(count * sizeof *copy);
    if (count)
        memcpy(copy, ranks, count * sizeof *copy);
    return copy;
}

/* ---- Memory ---- */

/* Windows have come or gone: what pages say of being quiet is no longer true. */
static void memory_changed(struct engine *engine)
{
    shadow_forget_cache(&engine->shadow);
    engine->shadow.version++;
}

static void reach(struct engine *engine, uint64_t low, uint64_t high)
{
    ranges_add(&engine->memory, low, high);
    ranges_add(&engine->reachable, low, high);
}

/* These bytes are no longer memory of a window, except where another one shows them. */
static void hide(struct engine *engine, uint64_t low, uint64_t high)
{
    ranges_remove(&engine->memory, low, high);
    for (const struct window_state *window = engine->windows; window; window = window->hh.next)
        if (!window->freed)
            ranges_add_common(&engine->memory, &window->memory, low, high);
}

/* Nor can operations on them arrive any more. Pages that nothing can reach are dropped. */
static void unreach(struct engine *engine, uint64_t low, uint64_t high)
{
    ranges_remove(&engine->reachable, low, high);
    for (const struct window_state *window = engine->windows; window; window = window->hh.next) {
        ranges_add_common(&engine->reachable, &window->memory, low, high);
        ranges_add_common(&engine->reachable, &window->past, low, high);
    }
    if (!ranges_touch(&engine->reachable, low, high, NULL))
        shadow_drop(&engine->shadow, low, high);
}

bool windows_share_alike(const struct engine *engine, uint64_t low, uint64_t high)
{
    size_t i;
    const struct window_state *window;
    if (!ranges_touch(&engine->memory, low, high, &i) || engine->memory.list[i].low > low ||
        engine->memory.list[i].high < high)
        return false;
    for (window = engine->windows; window; window = window->hh.next)
        if (ranges_touch(&window->memory, low, high, &i) &&
            (window->memory.list[i].low > low || window->memory.list[i].high < high))
            return false;
    return true;
}

/* ---- Pieces ---- */

/* The first piece that begins at or above the address. */
static size_t first_piece_from(const struct window_state *window, uint64_t address)
{
    size_t from = 0, to = window->piece_count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (window->pieces[middle].low < address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void show_piece(struct engine *engine, struct window_state *window, uint64_t base,
                       uint64_t size)
{
    size_t at = first_piece_from(window, base);
    grow_array(window->pieces, window->piece_count, window->piece_capacity);
    memmove(&window->pieces[at + 1], &window->pieces[at],
            (window->piece_count - at) * sizeof *window->pieces);
    window->pieces[at] = (struct range){base, base + size};
    window->piece_count++;
    if (size > window->longest_piece)
        window->longest_piece = size;
    ranges_add(&window->memory, base, base + size);
    reach(engine, base, base + size);
    memory_changed(engine);
}

/* The piece's bytes leave the window, except where another piece has them too. */
static void hide_piece(struct engine *engine, struct window_state *window, size_t at)
{
    struct range piece = window->pieces[at];
    memmove(&window->pieces[at], &window->pieces[at + 1],
            (window->piece_count - at - 1) * sizeof *window->pieces);
    window->piece_count--;
    ranges_remove(&window->memory, piece.low, piece.high);
    for (size_t i = first_piece_from(window, piece.high);
         i-- > 0 && window->pieces[i].low + window->longest_piece > piece.low;) {
        struct ranges other = {&window->pieces[i], window->pieces[i].high > window->pieces[i].low,
                               0};
        ranges_add_common(&window->memory, &other, piece.low, piece.high);
    }
    if (!MUTANT(detached_forgotten)) {
        engine->windows_with_past += window->past.count == 0;
        ranges_add(&window->past, piece.low, piece.high);
    }
    hide(engine, piece.low, piece.high);
    unreach(engine, piece.low, piece.high);
}

void engine_window_create(struct engine *engine, window_t id, uint64_t base, uint64_t size,
                          const struct window_info *info)
{
    struct window_state *window = allocate_zeroed(1, sizeof *window);
    window->id = id;
    window->base = base;
    window->same_op = info && info->same_op;
    window->dynamic = info && info->dynamic;
    if (info && info->members) {
        window->members = copy_of_ranks(info->members, info->member_count);
        window->member_count = info->member_count;
    }
    HASH_ADD(hh, engine->windows, id, sizeof window->id, window);
    show_piece(engine, window, base, size);
    promise_given(engine, thread_of(engine, 0), window, NULL);
}

void engine_window_attach(struct engine *engine, uint32_t thread, window_t id, uint64_t base,
                          uint64_t size)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    show_piece(engine, window, base, size);
    attached_add(engine, window, thread, base, base + size);
}

void engine_window_detach(struct engine *engine, uint32_t thread, window_t id, uint64_t base)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    attached_end(engine, window, thread, base);
    for (size_t i = first_piece_from(window, base);
         i < window->piece_count && window->pieces[i].low == base;)
        if (window->pieces[i].high > base)
            hide_piece(engine, window, i);
        else
            i++;
    memory_changed(engine);
}

/* ---- Life ---- */

static void window_delete(struct engine *engine, struct window_state *window)
{
    HASH_DEL(engine->windows, window);
    free(window->memory.list);
    free(window->pieces);
    free(window->members);
    free(window->past.list);
    attached_clear(window);
    free(window->posts.list);
    free(window->starts.list);
    free(window->exposed_to);
    free(window->access_group);
    snapshot_drop(window->exposure);
    snapshot_drop(window->openings[0].clock);
    snapshot_drop(window->openings[1].clock);
    free(window);
}

/* It stays known until engine_window_gone: others may be in the middle of their last epoch. */
void engine_window_free(struct engine *engine, uint32_t thread, window_t id)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    origin_complete(engine, thread_of(engine, thread), id, RANK_ALL, COMPLETES_ALL);
    origin_drop_window(engine, id);
    if (lockset_type(engine, engine->lockset, id) != LOCK_NONE)
        own_lock_changed(engine, id, LOCK_NONE);
    window->freed = true;
    for (size_t i = window->memory.count; i-- > 0;) /* from the end: little has to move */
        hide(engine, window->memory.list[i].low, window->memory.list[i].high);
    memory_changed(engine);
}

/* Nothing that concerns its detached memory can arrive any more. */
static void forget_past(struct engine *engine, struct window_state *window)
{
    struct ranges past = window->past;
    attached_forget_past(window);
    window->past = (struct ranges){0};
    engine->windows_with_past -= past.count > 0;
    for (size_t i = past.count; i-- > 0;)
        unreach(engine, past.list[i].low, past.list[i].high);
    free(past.list);
}

void engine_window_gone(struct engine *engine, window_t id)
{
    struct window_state *window = window_find(engine, id);
    if (!window || !window->freed)
        return;
    struct ranges memory = window->memory;
    window->memory = (struct ranges){0};
    forget_past(engine, window);
    window_delete(engine, window);
    for (size_t i = memory.count; i-- > 0;)
        unreach(engine, memory.list[i].low, memory.list[i].high);
    free(memory.list);
    memory_changed(engine);
}

void windows_forget_past(struct engine *engine)
{
    if (!engine->windows_with_past)
        return;
    for (struct window_state *window = engine->windows; window; window = window->hh.next)
        forget_past(engine, window);
    memory_changed(engine);
}

void windows_clear(struct engine *engine)
{
    struct window_state *window, *next;
    HASH_ITER(hh, engine->windows, window, next)
    {
        window_delete(engine, window);
    }
    free(engine->memory.list);
    free(engine->reachable.list);
}

/* ---- Fences ---- */

static struct snapshot *opening_knowledge(struct engine *engine, struct thread_state *thread)
{
    struct snapshot *snapshot = thread_snapshot(engine, thread);
    snapshot->references++;
    thread_advance(engine, thread); /* own accesses from here on are inside the epoch */
    return snapshot;
}

void engine_fence(struct engine *engine, uint32_t number, window_t id, bool no_precede,
                  const struct promise *promise)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    struct thread_state *thread = thread_of(engine, number);
    if (!MUTANT(end_fence))
        origin_complete(engine, thread, id, RANK_ALL, COMPLETES_ALL);
    /* Without synchronisation an operation can be on its way before this rank gets here. What it
     * does here comes after this fence all the same, so what this rank knows now is known to the
     * operation. */
    snapshot_drop(window->openings[0].clock);
    window->openings[0] = window->openings[1];
    window->fences++;
    window->openings[1] = (struct fence_opening){.index = window->fences};
    if (promise)
        window->openings[1].promise = *promise;
    promise_given(engine, thread, window, promise);
    if (no_precede && !MUTANT(edge_opening_fence))
        window->openings[1].clock = opening_knowledge(engine, thread);
    target_unpark(engine);
}

/* ---- Post, start, complete, wait ---- */

static struct partner *partner_of(struct partners *partners, uint32_t rank)
{
    size_t at = 0;
    while (at < partners->count && partners->list[at].rank < rank)
        at++;
    if (at < partners->count && partners->list[at].rank == rank)
        return &partners->list[at];
    grow_array(partners->list, partners->count, partners->capacity);
    memmove(&partners->list[at + 1], &partners->list[at],
            (partners->count - at) * sizeof *partners->list);
    partners->list[at] = (struct partner){rank, 0};
    partners->count++;
    return &partners->list[at];
}

uint64_t partner_epochs(const struct partners *partners, uint32_t rank)
{
    for (size_t i = 0; i < partners->count; i++)
        if (partners->list[i].rank == rank)
            return partners->list[i].epochs;
    return 0;
}

void engine_post(struct engine *engine, uint32_t thread, window_t id, const uint32_t *origins,
                 size_t count, const struct promise *promise)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    free(window->exposed_to);
    window->exposed_to = copy_of_ranks(origins, count);
    window->exposed_count = count;
    for (size_t i = 0; i < count; i++)
        partner_of(&window->posts, origins[i])->epochs++;
    window->exposure_promise = promise ? *promise : (struct promise){0};
    promise_given(engine, thread_of(engine, thread), window, promise);
    snapshot_drop(window->exposure);
    window->exposure =
        MUTANT(edge_post) ? NULL : opening_knowledge(engine, thread_of(engine, thread));
    target_unpark(engine);
}

void engine_start(struct engine *engine, uint32_t thread, window_t id, const uint32_t *targets,
                  size_t count)
{
    (void)thread;
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    free(window->access_group);
    window->access_group = copy_of_ranks(targets, count);
    window->access_count = count;
    for (size_t i = 0; i < count; i++)
        partner_of(&window->starts, targets[i])->epochs++;
}

void engine_complete(struct engine *engine, uint32_t thread, window_t id)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    for (size_t i = 0; i < window->access_count; i++)
        origin_complete(engine, thread_of(engine, thread), id, window->access_group[i],
                        COMPLETES_ALL);
    window->access_count = 0;
}

void engine_wait(struct engine *engine, uint32_t number, window_t id)
{
    struct window_state *window = window_find(engine, id);
    if (!window || !window->exposed_to)
        return;
    struct thread_state *thread = thread_of(engine, number);
    time_point time = 0;
    struct node *next;
    for (struct node *node = history_exposed(&engine->history, id); node; node = next) {
        next = node->next;
        if (MUTANT(end_wait))
            continue;
        if (!time)
            time = thread_end_event(engine, thread);
        node->lot = 0; /* it was the exposure's number, not one of its origin's lots */
        history_end(&engine->history, node, actor_of(engine->config.rank, number), time);
    }
    free(window->exposed_to);
    window->exposed_to = NULL;
    window->exposed_count = 0;
    snapshot_drop(window->exposure);
    window->exposure = NULL;
}
