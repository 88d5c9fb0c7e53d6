/* Operations that are over and of which everybody knows that: nobody can race with them any more.
 *
 * A world-wide synchronisation makes that so at once. Programs that synchronise by messages alone
 * never have one. There each origin says now and then, in a batch, what everything that it will
 * hand over from here on knows: its floor. What lies below the floors of all who can reach the
 * memory, and is known to this rank's threads, goes. Whoever joins later, by a new window, is told
 * by its constructor what this rank knows. */
#include <stdlib.h>
#include "internal.h"

/* Tests shrink it, so that small programs get there. */
#ifndef HISTORY_FORGOTTEN_AT
#define HISTORY_FORGOTTEN_AT 4096
#endif

/* A buffer in use that a lock has protected until now is compared with all once more when the lock
 * is gone, as it was when its use began. */
static bool locked_buffer_in_use(const struct engine *engine)
{
    for (const struct node *buffer = engine->history.buffers.first; buffer; buffer = buffer->next)
        if (buffer->lockset)
            return true;
    return false;
}

/* ---- World-wide synchronisation ---- */

/* A thread that has not heard of it may still race with what came before it. */
static bool thread_needs(const struct engine *engine, uint32_t first, const struct node *node)
{
    for (uint32_t i = first; i < engine->thread_count && !MUTANT(forget_for_late_threads); i++)
        if (engine->threads[i] && !engine->threads[i]->ended &&
            !target_over_for(engine, node, engine->threads[i]))
            return true;
    return false;
}

static bool generation_needs(void *context, const struct node *node)
{
    const struct engine *engine = context;
    uint64_t passed = engine->generation + MUTANT(forget_this_generation);
    return time_generation(node->end) >= passed || thread_needs(engine, 1, node);
}

void forget_generation(struct engine *engine)
{
    if (!MUTANT(edge_world) && !locked_buffer_in_use(engine))
        history_forget(&engine->history, generation_needs, engine);
}

/* ---- Floors ---- */

void forget_note_floor(struct engine *engine, uint32_t origin, const struct clock *floor)
{
    if (!engine->floors)
        engine->floors = allocate_zeroed(engine->config.ranks, sizeof *engine->floors);
    clock_join(&engine->floors[origin], floor);
}

static bool floor_is_known(const struct clock *floor)
{
    return floor->generation || floor->run_count;
}

/* The ranks that can reach memory of this one by RMA; NULL if of one of them too little is known.
 */
struct audience {
    const struct engine *engine;
    uint32_t *ranks;
    size_t count;
};

static bool audience_add(struct audience *audience, bool *has, uint32_t rank)
{
    const struct engine *engine = audience->engine;
    if (has[rank] || rank == engine->config.rank)
        return true;
    has[rank] = true;
    audience->ranks[audience->count++] = rank;
    return engine->floors && floor_is_known(&engine->floors[rank]);
}

static bool audience_find(struct audience *audience)
{
    const struct engine *engine = audience->engine;
    bool *has = allocate_zeroed(engine->config.ranks, sizeof *has), all_known = true;
    audience->ranks = allocate(engine->config.ranks * sizeof *audience->ranks);
    for (const struct window_state *window = engine->windows; window && all_known;
         window = window->hh.next) {
        size_t count = window->members ? window->member_count : engine->config.ranks;
        for (size_t i = 0; i < count && all_known; i++)
            all_known =
                audience_add(audience, has, window->members ? window->members[i] : (uint32_t)i);
    }
    free(has);
    return all_known;
}

static bool audience_needs(void *context, const struct node *node)
{
    const struct audience *audience = context;
    if (thread_needs(audience->engine, 0, node))
        return true;
    for (size_t i = 0; i < audience->count && !MUTANT(floors_are_high); i++)
        if (!target_over_before(audience->engine, node,
                                &audience->engine->floors[audience->ranks[i]]))
            return true;
    return false;
}

void forget_if_due(struct engine *engine)
{
    size_t nodes = engine->history.spans.count;
    if (nodes < HISTORY_FORGOTTEN_AT || nodes < engine->forget_at)
        return;
    /* What waits for an epoch was issued before. So was what this rank has not handed to itself. */
    struct audience audience = {.engine = engine};
    if (!engine->parked && !locked_buffer_in_use(engine) &&
        !origin_is_pending(engine, engine->config.rank) && audience_find(&audience))
        history_forget(&engine->history, audience_needs, &audience);
    free(audience.ranks);
    engine->forget_at = 2 * engine->history.spans.count;
}

/* ---- Short of memory ---- */

static bool nobody_needs(void *context, const struct node *node)
{
    (void)context;
    (void)node;
    return false;
}

void engine_forget_past(struct engine *engine)
{
    history_forget(&engine->history, nobody_needs, NULL);
    shadow_clear(&engine->shadow);
    shadow_init(&engine->shadow, access_obsolete, engine);
}

void forget_clear(struct engine *engine)
{
    for (uint32_t i = 0; engine->floors && i < engine->config.ranks; i++)
        clock_clear(&engine->floors[i]);
    free(engine->floors);
}
