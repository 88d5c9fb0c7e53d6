#include <stdlib.h>
#include <string.h>
#include "internal.h"

/* ---- One access against the history ---- */

/* Where an open node ends decides nothing: it is not over, so it is concurrent. */
bool target_over_before(const struct engine *engine, const struct node *node,
                        const struct clock *start)
{
    if (node->state != NODE_OVER)
        return false;
    if (clock_knows_event(engine, start, node->end_actor, node->end))
        return true;
    for (const struct node_end *end = node->more_ends; end; end = end->next)
        if (clock_knows_event(engine, start, end->actor, end->time))
            return true;
    return false;
}

bool target_over_for(const struct engine *engine, const struct node *node,
                     const struct thread_state *thread)
{
    if (node->state != NODE_OVER)
        return false;
    if (thread_knows_event(engine, thread, node->end_actor, node->end))
        return true;
    for (const struct node_end *end = node->more_ends; end; end = end->next)
        if (thread_knows_event(engine, thread, end->actor, end->time))
            return true;
    return false;
}

/* The lock under which a node's access stands, if it is one of this window. */
static enum lock_type lock_on(const struct engine *engine, const struct node *node, window_t window)
{
    if (node->access.kind >= ACCESS_BUFFER_READ)
        return lockset_type(engine, node->lockset, window);
    return node->window == window ? node->lock : LOCK_NONE;
}

static bool locks_exclude(const struct engine *engine, const struct node *a, const struct node *b)
{
    if (a->access.rank == b->access.rank)
        return false; /* one process's epochs are in program order */
    window_t window = a->access.kind >= ACCESS_BUFFER_READ ? b->window : a->window;
    return rules_locks_exclude(lock_on(engine, a, window), lock_on(engine, b, window));
}

struct newcomer {
    struct engine *engine;
    const struct node *node;
    const struct clock *start;
    bool known; /* that the one it has just met is over */
    struct node **gone;
    size_t gone_count, gone_capacity;
};

/* Whether a part of an accumulate's bytes is made of whole elements. */
static bool keeps_elements(const struct node *node, const struct section *part)
{
    uint64_t size = node->access.type_size;
    if (size <= 1)
        return true;
    if (node->section.count > 1)
        return part->start == node->section.start && part->count == node->section.count;
    return (part->start - node->section.start) % size == 0;
}

/* Two that are concurrent, as far as one of them was not seen to be over. */
static void report_conflict(const struct newcomer *newcomer, const struct node *older)
{
    struct engine *engine = newcomer->engine;
    const struct node *node = newcomer->node;
    enum race_rule rule;
    struct section common, shared, bytes[SEEN_PIECES];
    size_t count = 1;
    bytes[0] = node->section;
    seen_cut(engine, older, newcomer->start, NULL, bytes, &count);
    seen_cut_late(engine, node, older, bytes, &count);
    for (size_t i = 0; i < count; i++) {
        /* a piece of an element is not to be taken for an element of its own */
        bool whole = keeps_elements(node, &bytes[i]);
        if (section_overlaps(&older->section, &bytes[i], &shared) &&
            rules_conflict(&older->access, &older->section, &node->access,
                           whole ? &bytes[i] : &node->section, engine->config.strict_accumulate,
                           &rule, &common)) {
            if (!whole)
                common = shared;
            findings_add(engine, rule, &older->access, &node->access,
                         node->access.kind < ACCESS_BUFFER_READ ? node->window : older->window,
                         &common);
            return;
        }
    }
}

static bool check_against(void *context, struct span *span)
{
    struct newcomer *newcomer = context;
    struct engine *engine = newcomer->engine;
    struct node *older = (struct node *)span;
    newcomer->known = target_over_before(engine, older, newcomer->start);
    if (!newcomer->known && rules_kinds_conflict(&older->access, &newcomer->node->access) &&
        !locks_exclude(engine, older, newcomer->node))
        report_conflict(newcomer, older);
    return true;
}

static bool meet(void *context, struct span *span)
{
    struct newcomer *newcomer = context;
    struct node *older = (struct node *)span;
    check_against(context, span);
    if (history_supersedes(newcomer->node, older, newcomer->known)) {
        grow_array(newcomer->gone, newcomer->gone_count, newcomer->gone_capacity);
        newcomer->gone[newcomer->gone_count++] = older;
    }
    return true;
}

void target_check_again(struct engine *engine, struct node *node, const struct clock *start)
{
    struct newcomer again = {.engine = engine, .node = node, .start = start};
    spans_visit(&engine->history.spans, node->section.start, section_end(&node->section),
                check_against, &again);
}

/* ---- memory that changes hands ---- */

struct renewal {
    uint64_t low, high;
    struct node **gone;
    size_t gone_count, gone_capacity;
};

static bool find_gone(void *context, struct span *span)
{
    struct renewal *renewal = context;
    struct node *node = (struct node *)span;
    if (node->state == NODE_OVER && span->low >= renewal->low && span->high <= renewal->high) {
        grow_array(renewal->gone, renewal->gone_count, renewal->gone_capacity);
        renewal->gone[renewal->gone_count++] = node;
    }
    return true;
}

void engine_memory_renewed(struct engine *engine, uint64_t low, uint64_t high)
{
    struct renewal renewal = {.low = low, .high = high};
    shadow_erase(&engine->shadow, low, high);
    spans_visit(&engine->history.spans, low, high, find_gone, &renewal);
    for (size_t i = 0; i < renewal.gone_count; i++)
        history_remove(&engine->history, renewal.gone[i]);
    free(renewal.gone);
}

/* ---- entering ---- */

struct node *target_enter(struct engine *engine, const struct node *node, const struct clock *start)
{
    struct newcomer newcomer = {.engine = engine, .node = node, .start = start};
    spans_visit(&engine->history.spans, node->section.start, section_end(&node->section), meet,
                &newcomer);
    for (size_t i = 0; i < newcomer.gone_count; i++)
        history_remove(&engine->history, newcomer.gone[i]);
    free(newcomer.gone);
    engine->shadow.version += !MUTANT(quiet_pages_stay);
    struct node *entered = history_insert(&engine->history, node);
    seen_meet_late(engine, entered);
    return entered;
}

/* ---- Batches ---- */

/* What this rank knew when it opened the epoch that the batch belongs to; NULL: nothing that the
 * origin did not know anyway. False: it has not opened it yet. */
static bool epoch_opened(const struct window_state *window, const struct batch *batch,
                         const struct clock **opening)
{
    *opening = NULL;
    if (MUTANT(no_waiting_for_epoch))
        return true;
    if (batch->epoch == EPOCH_FENCE) {
        if (window->fences < batch->epoch_index)
            return false;
        for (int i = 0; i < 2; i++)
            if (window->openings[i].clock && window->openings[i].index == batch->epoch_index)
                *opening = &window->openings[i].clock->clock;
    } else if (batch->epoch == EPOCH_EXPOSURE) {
        uint64_t posts = partner_epochs(&window->posts, batch->origin);
        if (posts < batch->epoch_index)
            return false;
        if (posts == batch->epoch_index && window->exposure)
            *opening = &window->exposure->clock;
    }
    return true;
}

static void close_lot(struct engine *engine, uint32_t origin, const struct batch_close *close)
{
    struct node *next;
    for (struct node *node = history_lot(&engine->history, origin, close->number); node;
         node = next) {
        next = node->next;
        history_end(&engine->history, node, actor_of(origin, close->thread), close->time);
    }
    for (struct node *node = close->further && !MUTANT(one_end_only) ? engine->history.ended.first
                                                                     : NULL;
         node; node = node->next)
        if (node->access.rank == origin && node->lot == close->number)
            history_end(&engine->history, node, actor_of(origin, close->thread), close->time);
}

static void check_promise(struct engine *engine, const struct window_state *window,
                          const struct batch *batch, const struct node *node)
{
    if (batch->epoch == EPOCH_FENCE)
        for (int i = 0; i < 2; i++)
            if (window->openings[i].index == batch->epoch_index || MUTANT(promise_stays))
                promise_check(engine, &window->openings[i].promise, node);
    if (batch->epoch == EPOCH_EXPOSURE && window->exposed_to &&
        partner_epochs(&window->posts, batch->origin) == batch->epoch_index)
        promise_check(engine, &window->exposure_promise, node);
}

static void enter_record(struct engine *engine, struct window_state *window,
                         const struct batch *batch, const struct batch_lot *lot,
                         const struct batch_record *record, const struct clock *start)
{
    const struct clock *issue = batch->clocks[record->clock];
    struct node node = {
        .section = record->section,
        .access = {record->kind, record->op, record->type, record->type_size, batch->origin,
                   record->thread, record->site, window->same_op, (uint8_t)batch->epoch},
        .window = batch->window,
        .lock = batch->lock,
        .state = lot->state == LOT_OVER   ? NODE_OVER
                 : lot->state == LOT_OPEN ? NODE_LOT_OPEN
                                          : NODE_EXPOSED,
        .end_actor = actor_of(batch->origin, lot->thread),
        .end = lot->time,
        .lot = lot->state == LOT_EXPOSED ? batch->epoch_index : lot->number,
        .issued = record->kind >= ACCESS_ACCUMULATE
                      ? clock_known(issue, actor_of(batch->origin, record->thread))
                      : 0,
    };
    node.section.start += window->base;
    if (!section_valid(&node.section))
        return; /* runs over the end of the address space: no memory of ours */
    node.after_seen = seen_known_to(engine, &node, start);
    engine->counters.records_taken_in++;
    if (window->dynamic)
        attached_check(engine, window, &node, start);
    check_promise(engine, window, batch, &node);
    overlap_check(engine, window, &node, start);
    access_check_operation(engine, &node, start);
    target_enter(engine, &node, start);
}

bool target_apply(struct engine *engine, const struct batch *batch)
{
    struct window_state *window = window_find(engine, batch->window);
    const struct clock *opening;
    if (!window || (window->freed && MUTANT(freed_window_forgotten)))
        return true; /* freed meanwhile: nobody can touch it any more */
    if (!epoch_opened(window, batch, &opening))
        return false;
    for (size_t i = 0; i < batch->close_count; i++)
        close_lot(engine, batch->origin, &batch->closes[i]);
    if (batch->seen_count)
        seen_arrived(engine, batch->origin, window->base, batch->seen, batch->seen_count);
    struct clock joined = CLOCK_EMPTY;
    size_t record = 0;
    uint32_t joined_with = UINT32_MAX;
    for (size_t i = 0; i < batch->lot_count; i++)
        for (; record < batch->lots[i].record_end; record++) {
            const struct batch_record *from = &batch->records[record];
            const struct clock *start = batch->clocks[from->clock];
            if (opening && joined_with != from->clock) {
                clock_copy(&joined, start);
                clock_join(&joined, opening);
                joined_with = from->clock;
            }
            enter_record(engine, window, batch, &batch->lots[i], from, opening ? &joined : start);
        }
    clock_clear(&joined);
    if (batch->floor)
        forget_note_floor(engine, batch->origin, batch->clocks[batch->floor - 1]);
    return true;
}

/* ---- Waiting for the epoch ---- */

static void park(struct engine *engine, struct batch *batch)
{
    struct parked *parked = allocate_zeroed(1, sizeof *parked);
    parked->batch = *batch;
    *engine->parked_end = parked;
    engine->parked_end = &parked->next;
}

static bool closes_lot_of(const struct batch *batch, const struct batch *waiting)
{
    for (size_t i = 0; i < batch->close_count; i++)
        for (size_t k = 0; k < waiting->lot_count; k++)
            if (waiting->lots[k].number == batch->closes[i].number)
                return true;
    return false;
}

/* A batch that ends operations which are still waiting has to wait with them. Others go ahead:
 * direct accesses and other epochs' operations may be known to those that arrive next. */
static bool must_wait(const struct engine *engine, const struct batch *batch)
{
    for (const struct parked *parked = engine->parked; parked; parked = parked->next)
        if (parked->batch.origin == batch->origin && closes_lot_of(batch, &parked->batch))
            return true;
    return false;
}

void target_apply_or_park(struct engine *engine, const struct batch *batch)
{
    if (!must_wait(engine, batch) && target_apply(engine, batch)) {
        forget_if_due(engine);
        return;
    }
    struct writer out = {0};
    struct batch copy;
    batch_encode(batch, &out);
    if (batch_decode(&copy, out.bytes, out.size))
        park(engine, &copy);
    free(out.bytes);
}

void target_unpark(struct engine *engine)
{
    struct parked *waiting = engine->parked;
    engine->parked = NULL;
    engine->parked_end = &engine->parked;
    while (waiting) {
        struct parked *parked = waiting;
        waiting = parked->next;
        if (!must_wait(engine, &parked->batch) && target_apply(engine, &parked->batch))
            batch_clear(&parked->batch);
        else
            park(engine, &parked->batch);
        free(parked);
    }
}

bool engine_take_in(struct engine *engine, const void *bytes, size_t size)
{
    struct batch batch;
    if (!batch_decode(&batch, bytes, size))
        return false;
    bool ours = batch.target == engine->config.rank && batch.origin < engine->config.ranks &&
                batch.origin != engine->config.rank;
    if (!ours || engine->exhausted) {
        batch_clear(&batch);
        return ours;
    }
    if (!must_wait(engine, &batch) && target_apply(engine, &batch))
        batch_clear(&batch);
    else
        park(engine, &batch);
    forget_if_due(engine);
    return true;
}

void target_clear(struct engine *engine)
{
    while (engine->parked) {
        struct parked *parked = engine->parked;
        engine->parked = parked->next;
        batch_clear(&parked->batch);
        free(parked);
    }
    seen_clear(engine);
    history_clear(&engine->history);
}
