#include <stdlib.h>
#include <string.h>
#include "internal.h"

struct window_state *window_find(const struct engine *engine, window_t window)
{
    struct window_state *found;
    HASH_FIND(hh, engine->windows, &window, sizeof window, found);
    return found;
}

/* ---- Memory ---- */

/* Whether [low, high) has a byte in the ranges; index: the first range that has one. */
bool ranges_touch(const struct ranges *ranges, uint64_t low, uint64_t high, size_t *index)
{
    size_t from = 0, to = ranges->count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (ranges->list[middle].high <= low)
            from = middle + 1;
        else
            to = middle;
    }
    if (index)
        *index = from;
    return from < ranges->count && ranges->list[from].low < high;
}

static void ranges_add(struct ranges *ranges, uint64_t low, uint64_t high)
{
    if (low >= high)
        return;
    size_t kept = 0, at = 0; /* `at`: where the new one belongs */
    for (size_t i = 0; i < ranges->count; i++) {
        struct range range = ranges->list[i];
        if (range.high < low || range.low > high) { /* touching ones become one */
            ranges->list[kept++] = range;
            if (range.high < low)
                at = kept;
            continue;
        }
        low = range.low < low ? range.low : low;
        high = range.high > high ? range.high : high;
    }
    ranges->count = kept;
    grow_array(ranges->list, ranges->count, ranges->capacity);
    memmove(&ranges->list[at + 1], &ranges->list[at], (ranges->count - at) * sizeof *ranges->list);
    ranges->list[at] = (struct range){low, high};
    ranges->count++;
}

static void ranges_add_all(struct ranges *to, const struct ranges *from)
{
    for (size_t i = 0; i < from->count; i++)
        ranges_add(to, from->list[i].low, from->list[i].high);
}

/* After windows have come or gone. Pages that nothing can reach any more are dropped. */
static void remap_memory(struct engine *engine)
{
    struct ranges before = engine->reachable;
    engine->reachable = (struct ranges){0};
    engine->memory.count = 0;
    struct window_state *window, *next;
    HASH_ITER(hh, engine->windows, window, next)
    {
        if (!window->freed)
            ranges_add_all(&engine->memory, &window->memory);
        ranges_add_all(&engine->reachable, &window->memory);
        ranges_add_all(&engine->reachable, &window->past);
    }
    for (size_t i = 0; i < before.count; i++)
        if (!ranges_touch(&engine->reachable, before.list[i].low, before.list[i].high, NULL))
            shadow_drop(&engine->shadow, before.list[i].low, before.list[i].high);
    free(before.list);
    shadow_forget_cache(&engine->shadow);
    engine->shadow.version++;
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

static void show_piece(struct window_state *window, uint64_t base, uint64_t size)
{
    grow_array(window->pieces, window->piece_count, window->piece_capacity);
    window->pieces[window->piece_count++] = (struct range){base, base + size};
    ranges_add(&window->memory, base, base + size);
}

void engine_window_create(struct engine *engine, window_t id, uint64_t base, uint64_t size,
                          const struct window_info *info)
{
    struct window_state *window = allocate_zeroed(1, sizeof *window);
    window->id = id;
    window->base = base;
    window->same_op = info && info->same_op;
    show_piece(window, base, size);
    HASH_ADD(hh, engine->windows, id, sizeof window->id, window);
    remap_memory(engine);
}

void engine_window_attach(struct engine *engine, window_t id, uint64_t base, uint64_t size)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    show_piece(window, base, size);
    remap_memory(engine);
}

void engine_window_detach(struct engine *engine, window_t id, uint64_t base)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    window->memory.count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < window->piece_count; i++) {
        struct range piece = window->pieces[i];
        if (piece.low == base && piece.high > base) {
            if (!MUTANT(detached_forgotten))
                ranges_add(&window->past, piece.low, piece.high);
            continue;
        }
        window->pieces[kept++] = piece;
        ranges_add(&window->memory, piece.low, piece.high);
    }
    window->piece_count = kept;
    remap_memory(engine);
}

/* ---- Life ---- */

static void window_delete(struct engine *engine, struct window_state *window)
{
    HASH_DEL(engine->windows, window);
    free(window->memory.list);
    free(window->pieces);
    free(window->past.list);
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
    window->freed = true;
    remap_memory(engine);
}

void engine_window_gone(struct engine *engine, window_t id)
{
    struct window_state *window = window_find(engine, id);
    if (!window || !window->freed)
        return;
    window_delete(engine, window);
    remap_memory(engine);
}

void windows_forget_past(struct engine *engine)
{
    bool changed = false;
    struct window_state *window, *next;
    HASH_ITER(hh, engine->windows, window, next)
    {
        changed |= window->past.count > 0;
        window->past.count = 0;
    }
    if (changed)
        remap_memory(engine);
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

void engine_fence(struct engine *engine, uint32_t number, window_t id, bool no_precede)
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
    window->openings[1] = (struct fence_opening){window->fences, NULL};
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

static uint32_t *copy_of_ranks(const uint32_t *ranks, size_t count)
{
    uint32_t *copy = allocate(count * sizeof *copy);
    if (count)
        memcpy(copy, ranks, count * sizeof *copy);
    return copy;
}

void engine_post(struct engine *engine, uint32_t thread, window_t id, const uint32_t *origins,
                 size_t count)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    free(window->exposed_to);
    window->exposed_to = copy_of_ranks(origins, count);
    window->exposed_count = count;
    for (size_t i = 0; i < count; i++)
        partner_of(&window->posts, origins[i])->epochs++;
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
    for (struct node *node = engine->history.open.first; node; node = next) {
        next = node->next;
        if (node->state != NODE_EXPOSED || node->window != id || MUTANT(end_wait))
            continue;
        if (!time)
            time = thread_end_event(engine, thread);
        history_end(&engine->history, node, actor_of(engine->config.rank, number), time);
    }
    free(window->exposed_to);
    window->exposed_to = NULL;
    window->exposed_count = 0;
    snapshot_drop(window->exposure);
    window->exposure = NULL;
}
