/* Updates that are over because somebody fetched what they wrote (semantics page, section 3).
 *
 *     origin  O   put …  update A (stamp 5) ........................ flush (6)
 *     fetcher Q                 fetch F reads A .. complete (9) .. store
 *                                            \ told to the owner: "what O issued at these bytes
 *                                              until 5 is over for whoever knows 9 of Q"
 *
 * Q gets to know of O what O knew at the issue of A (a clock, which travels with A), and that A is
 * over. It must not get to know 6, since the flush left no trace that it could have seen: the put
 * is not over for it. So the completion of F becomes one more end of A, and of nothing else: it
 * holds for the bytes that were fetched, and for what O issued there by accumulates until A, which
 * MPI keeps in order.
 *
 * A may get here after it was seen: its origin hands over when it completes. Then accesses that
 * know it to be over are in the history already, and those do not remember when they started. They
 * came after the sighting, though, so all that came later and could know of it counts as ordered
 * with A: that may miss a race of A with somebody else, and invents none. Callers that hand over
 * every update at once (engine_hand_over) never have late ones. */
#include <stdlib.h>
#include "internal.h"

static bool is_accumulate(const struct node *node)
{
    return node->access.kind >= ACCESS_ACCUMULATE && node->access.kind <= ACCESS_COMPARE_AND_SWAP;
}

/* ---- Bytes ---- */

static void cut(struct section *bytes, size_t *count, uint64_t low, uint64_t high)
{
    struct section rest[SEEN_PIECES + 6];
    size_t left = 0;
    for (size_t i = 0; i < *count; i++) {
        left += section_clip(&bytes[i], 0, low, rest + left);
        left += section_clip(&bytes[i], high, UINT64_MAX, rest + left);
        if (left > SEEN_PIECES) { /* in more pieces than anybody fetches: rather none than wrong */
            *count = 0;
            return;
        }
    }
    for (size_t i = 0; i < left; i++)
        bytes[i] = rest[i];
    *count = left;
}

void seen_cut(const struct engine *engine, const struct node *node, const struct clock *start,
              const struct thread_state *thread, struct section *bytes, size_t *count)
{
    for (const struct seen_end *end = node->seen; end && *count; end = end->next)
        if (start ? clock_knows_event(engine, start, end->actor, end->time)
                  : thread_knows_event(engine, thread, end->actor, end->time))
            cut(bytes, count, MUTANT(seen_everywhere) ? 0 : end->low,
                MUTANT(seen_everywhere) ? UINT64_MAX : end->high);
}

static void add_end(struct engine *engine, struct node *node, actor_t actor, time_point time,
                    uint64_t low, uint64_t high)
{
    for (const struct seen_end *end = node->seen; end; end = end->next)
        if (end->actor == actor && end->time <= time && end->low <= low && end->high >= high)
            return;
    struct seen_end *end = pool_take(&engine->history.seen);
    *end = (struct seen_end){actor, time, low, high, node->seen};
    node->seen = end;
}

/* ---- A sighting arrives ---- */

struct arrival {
    struct engine *engine;
    const struct batch_seen *seen; /* equal but for the updater and the stamp */
    size_t count;
    actor_t seer;
    uint64_t low, high;
};

static bool end_seen(void *context, struct span *span)
{
    const struct arrival *arrival = context;
    struct node *node = (struct node *)span;
    if (!is_accumulate(node))
        return true;
    actor_t updater = actor_of(node->access.rank, node->access.thread);
    for (size_t i = 0; i < arrival->count; i++)
        if (arrival->seen[i].updater == updater &&
            (node->issued <= arrival->seen[i].stamp || MUTANT(seen_ignores_stamp)))
            add_end(arrival->engine, node, arrival->seer, arrival->seen[i].time, arrival->low,
                    arrival->high);
    return true;
}

/* So many single sightings are kept for updates that are yet to arrive. From then on all bytes of
 * two partners are one: that orders more. */
enum { SIGHTINGS_KEPT = 1 << 12 };

static void remember(struct engine *engine, const struct arrival *arrival,
                     const struct batch_seen *seen)
{
    struct sightings *sightings = &engine->sightings;
    bool full = HASH_COUNT(sightings->table) >= SIGHTINGS_KEPT;
    struct sighting like = {.key = {seen->updater, arrival->seer, full ? 0 : arrival->low,
                                    full ? UINT64_MAX : arrival->high}};
    struct sighting *known;
    HASH_FIND(hh, sightings->table, &like.key, sizeof like.key, known);
    if (known) {
        if (known->stamp < seen->stamp)
            known->stamp = seen->stamp;
        return;
    }
    known = allocate_zeroed(1, sizeof *known);
    known->key = like.key;
    known->span.low = like.key.low;
    known->span.high = like.key.high;
    known->stamp = seen->stamp;
    known->time = seen->time;
    known->entered = engine->history.entered;
    known->arrived = engine->threads[0]->now;
    HASH_ADD(hh, sightings->table, key, sizeof known->key, known);
    spans_insert(&sightings->spans, &known->span);
}

void seen_arrived(struct engine *engine, uint32_t seer, uint64_t base,
                  const struct batch_seen *seen, size_t count)
{
    if (MUTANT(seen_is_not_over))
        return;
    /* What this rank does from now on is later than what it did until now. */
    thread_advance(engine, thread_of(engine, 0));
    for (size_t i = 0; i < count;) {
        size_t alike = 1;
        while (i + alike < count && seen[i + alike].start == seen[i].start &&
               seen[i + alike].length == seen[i].length && seen[i + alike].time == seen[i].time &&
               seen[i + alike].thread == seen[i].thread)
            alike++;
        struct arrival arrival = {.engine = engine,
                                  .seen = &seen[i],
                                  .count = alike,
                                  .seer = actor_of(seer, seen[i].thread),
                                  .low = base + seen[i].start,
                                  .high = base + seen[i].start + seen[i].length};
        if (arrival.high > arrival.low) {
            spans_visit(&engine->history.spans, arrival.low, arrival.high, end_seen, &arrival);
            for (size_t k = 0; k < alike; k++)
                remember(engine, &arrival, &seen[i + k]);
        }
        i += alike;
    }
}

/* ---- Late updates ---- */

static bool concerns(const struct sighting *sighting, const struct node *late)
{
    return sighting->key.updater == actor_of(late->access.rank, late->access.thread) &&
           late->issued <= sighting->stamp;
}

struct late_search {
    const struct engine *engine;
    const struct node *late, *older;
    struct section *bytes;
    size_t *count;
    uint32_t thread;
    time_point time;
    bool over;
};

static bool cut_late(void *context, struct span *span)
{
    const struct late_search *search = context;
    const struct sighting *sighting = (const struct sighting *)span;
    if (concerns(sighting, search->late) && search->older->number > sighting->entered)
        cut(search->bytes, search->count, sighting->key.low, sighting->key.high);
    return *search->count > 0;
}

void seen_cut_late(const struct engine *engine, const struct node *newcomer,
                   const struct node *older, struct section *bytes, size_t *count)
{
    if (!engine->sightings.table || !is_accumulate(newcomer) || !older->after_seen)
        return;
    struct late_search search = {
        .engine = engine, .late = newcomer, .older = older, .bytes = bytes, .count = count};
    spans_visit(&engine->sightings.spans, newcomer->section.start, section_end(&newcomer->section),
                cut_late, &search);
}

static bool over_for_own(void *context, struct span *span)
{
    struct late_search *search = context;
    const struct sighting *sighting = (const struct sighting *)span;
    const struct engine *engine = search->engine;
    search->over = concerns(sighting, search->late) &&
                   (search->thread || search->time >= sighting->arrived) &&
                   thread_knows_event(engine, engine->threads[search->thread], sighting->key.seer,
                                      sighting->time);
    return !search->over;
}

bool seen_late_for_own(const struct engine *engine, const struct node *newcomer, uint32_t thread,
                       time_point time, uint64_t low, uint64_t high)
{
    if (!engine->sightings.table || !is_accumulate(newcomer))
        return false;
    struct late_search search = {
        .engine = engine, .late = newcomer, .thread = thread, .time = time};
    spans_visit(&engine->sightings.spans, low, high, over_for_own, &search);
    return search.over;
}

struct known_search {
    const struct engine *engine;
    const struct clock *start;
    bool known;
};

static bool is_known(void *context, struct span *span)
{
    struct known_search *search = context;
    const struct sighting *sighting = (const struct sighting *)span;
    search->known =
        clock_knows_event(search->engine, search->start, sighting->key.seer, sighting->time);
    return !search->known;
}

bool seen_known_to(const struct engine *engine, const struct node *node, const struct clock *start)
{
    if (!engine->sightings.table)
        return false;
    struct known_search search = {engine, start, false};
    spans_visit(&engine->sightings.spans, node->section.start, section_end(&node->section),
                is_known, &search);
    return search.known;
}

struct late_entry {
    struct engine *engine;
    struct node *node;
};

static bool end_late(void *context, struct span *span)
{
    const struct late_entry *late = context;
    const struct sighting *sighting = (const struct sighting *)span;
    if (concerns(sighting, late->node))
        add_end(late->engine, late->node, sighting->key.seer, sighting->time, sighting->key.low,
                sighting->key.high);
    return true;
}

void seen_meet_late(struct engine *engine, struct node *node)
{
    if (!engine->sightings.table || !is_accumulate(node))
        return;
    struct late_entry late = {engine, node};
    spans_visit(&engine->sightings.spans, node->section.start, section_end(&node->section),
                end_late, &late);
}

/* ---- Forgetting ---- */

static void forget(struct engine *engine, struct sighting *sighting)
{
    spans_remove(&engine->sightings.spans, &sighting->span);
    HASH_DEL(engine->sightings.table, sighting);
    free(sighting);
}

void seen_forget_past(struct engine *engine)
{
    struct sighting *sighting, *next;
    HASH_ITER(hh, engine->sightings.table, sighting, next)
    {
        if (time_generation(sighting->stamp) < engine->generation)
            forget(engine, sighting);
    }
}

void seen_clear(struct engine *engine)
{
    struct sighting *sighting, *next;
    HASH_ITER(hh, engine->sightings.table, sighting, next)
    {
        forget(engine, sighting);
    }
}
