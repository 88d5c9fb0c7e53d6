/* From the log of what was issued to batches for the target. */
#include <stdlib.h>
#include "origin.h"

/* ---- Batches ---- */

static uint32_t batch_clock(struct batch *batch, const struct clock *clock)
{
    for (size_t i = batch->clock_count; i-- > 0;)
        if (batch->clocks[i] == clock)
            return (uint32_t)i;
    grow_array(batch->clocks, batch->clock_count, batch->clock_capacity);
    batch->clocks[batch->clock_count] = clock;
    return (uint32_t)batch->clock_count++;
}

/* The records of one place. */
static void add_records(struct batch *batch, const struct op_log *log,
                        const struct origin_place *place, const uint32_t *numbers, size_t count)
{
    uint32_t clock = batch_clock(batch, &place->start->clock);
    for (size_t i = 0; i < count; i++) {
        const struct section *section = &log->records[numbers[i]].section;
        if (section->count == 0)
            continue;
        grow_array(batch->records, batch->record_count, batch->record_capacity);
        batch->records[batch->record_count++] =
            (struct batch_record){place->kind,   place->op,   place->type, place->type_size,
                                  place->thread, place->site, clock,       *section};
    }
}

static void add_lot(struct batch *batch, struct batch_lot lot)
{
    lot.record_end = batch->record_count;
    grow_array(batch->lots, batch->lot_count, batch->lot_capacity);
    batch->lots[batch->lot_count++] = lot;
}

/* The places of a log that end now, or all if nothing ends: one lot for each. Returns the number of
 * the last. */
uint64_t origin_move_log(struct engine *engine, struct target_log *log, struct batch *batch,
                         struct op_log *from, bool read, struct ending *ending)
{
    bool exposed = !read && log->epoch == EPOCH_EXPOSURE && !MUTANT(complete_ends_writes);
    if (!from->place_count)
        return 0;
    bool *gone = allocate_zeroed(from->place_count, sizeof *gone);
    uint32_t *order = allocate(from->record_count * sizeof *order);
    uint32_t *first = log_by_place(from, order);
    size_t left = from->place_count;
    uint64_t number = 0;
    for (size_t p = 0; p < from->place_count; p++) {
        const struct origin_place *place = &from->places[p];
        actor_t actor = actor_of(engine->config.rank, place->thread);
        if (!ending_covers(engine, ending, actor, place->time))
            continue;
        ending_happens(engine, ending);
        struct batch_lot lot = {.state =
                                    LOT_EXPOSED}; /* in PSCW the target says when writes are over */
        if (!exposed) {
            lot.state = ending->over ? LOT_OVER : LOT_OPEN;
            lot.thread = ending->over ? ending->thread->number : 0;
            lot.time = ending->time;
            const struct sent_lot *open =
                read || ending->over ? NULL : lots_open_writes(engine, log);
            if (open) {
                lot.number = open->number;
            } else if (!ending->over || !engine->config.implicit_world) {
                number = lot.number = ++engine->last_number;
                struct sent_lot *sent = lot_remember(
                    log, &(struct sent_lot){
                             .number = number, .actor = actor, .time = place->time, .read = read});
                if (!ending->over && !read)
                    log->open_writes = number;
                if (ending->over)
                    lot_add_ender(log, sent, ending->thread->number);
            }
        }
        add_records(batch, from, place, order + first[p], first[p + 1] - first[p]);
        add_lot(batch, lot);
        gone[p] = true;
        left--;
    }
    free(order);
    free(first);
    /* The batch points to the snapshots' clocks, so the places must outlive it: see
     * origin_sweep_log. */
    from->gone = gone;
    from->left = left;
    return number;
}

void origin_sweep_log(struct op_log *log)
{
    if (!log->place_count)
        return;
    if (log->left)
        log_remove(log, log->gone);
    else
        log_empty(log);
    free(log->gone);
    log->gone = NULL;
}

/* ---- Floors ---- */

#ifndef ORIGIN_FLOOR_EVERY /* tests shrink it */
#define ORIGIN_FLOOR_EVERY 1024
#endif

/* Whether something stays when what is being handed over is gone. */
static bool stays(const struct op_log *log)
{
    return log->gone ? log->left > 0 : log->place_count > 0;
}

static bool log_stays(const struct target_log *log)
{
    for (const struct request *request = log->unsent; request; request = request->next)
        if (stays(&request->reads))
            return true;
    return stays(&log->reads) || stays(&log->writes) || stays(&log->direct);
}

bool origin_is_pending(const struct engine *engine, uint32_t target)
{
    for (const struct target_log *log = engine->logs; log; log = log->hh.next)
        if (log->key.target == target && log_stays(log))
            return true;
    return false;
}

/* Says what all later operations will know, so that the target can forget: now and then, and only
 * if nothing older is left here. Where only thread 0 makes MPI calls, it is what that knows now. */
static void add_floor(struct engine *engine, struct target_log *log, struct batch *batch)
{
    log->sent_since_floor += batch->record_count;
    if (!engine->config.implicit_world || log->sent_since_floor < ORIGIN_FLOOR_EVERY ||
        (origin_is_pending(engine, (uint32_t)log->key.target) && !MUTANT(floor_above_pending)))
        return;
    log->sent_since_floor = 0;
    batch->floor = 1 + batch_clock(batch, &thread_snapshot(engine, thread_of(engine, 0))->clock);
}

/* ---- Handing over ---- */

void origin_send(struct engine *engine, struct target_log *to, struct batch *batch)
{
    if (batch->lot_count || batch->close_count || batch->seen_count) {
        batch->origin = engine->config.rank;
        batch->target = (uint32_t)to->key.target;
        batch->window = to->key.window;
        batch->epoch = to->epoch;
        batch->epoch_index = to->epoch_index;
        batch->lock = to->lock;
        engine->counters.records_sent += batch->record_count;
        engine->counters.batches_sent++;
        if (batch->target == engine->config.rank) {
            target_apply_or_park(engine, batch);
        } else {
            engine->batch_out.size = 0;
            batch_encode(batch, &engine->batch_out);
            engine->counters.batch_bytes_sent += engine->batch_out.size;
            engine->config.deliver(engine->config.context, batch->target, engine->batch_out.bytes,
                                   engine->batch_out.size);
        }
    }
    batch_clear(batch);
}

void origin_hand_over_direct(struct engine *engine)
{
    engine->direct_pending = false;
    struct target_log *log, *next;
    HASH_ITER(hh, engine->logs, log, next)
    {
        if (!log->direct.record_count)
            continue;
        struct batch batch = {0};
        uint32_t *order = allocate(log->direct.record_count * sizeof *order);
        uint32_t *first = log_by_place(&log->direct, order);
        for (size_t p = 0; p < log->direct.place_count; p++) {
            const struct origin_place *place = &log->direct.places[p];
            add_records(&batch, &log->direct, place, order + first[p], first[p + 1] - first[p]);
            add_lot(&batch, (struct batch_lot){
                                .state = LOT_OVER, .thread = place->thread, .time = place->time});
        }
        free(order);
        free(first);
        struct target_log as = *log;
        as.epoch = EPOCH_NONE; /* no epoch holds a direct access back */
        as.lock = log->direct_lock;
        origin_send(engine, &as, &batch);
        log_empty(&log->direct);
    }
}

/* What has been issued to one target, all of it or only what reads: handed over, ended, or both. */
void origin_hand_over(struct engine *engine, struct target_log *log, bool writes,
                      struct ending *ending)
{
    if (engine->direct_pending && !MUTANT(direct_not_first))
        origin_hand_over_direct(engine); /* they may come before these in program order */
    struct batch batch = {0};
    struct request *next;
    if (ending->over)
        lots_close(engine, log, &batch, writes, ending);
    for (struct request *request = log->unsent; request; request = request->next) {
        uint64_t lot = origin_move_log(engine, log, &batch, &request->reads, true, ending);
        if (lot)
            request->lot = lot;
    }
    origin_move_log(engine, log, &batch, &log->reads, true, ending);
    if (writes)
        origin_move_log(engine, log, &batch, &log->writes, false, ending);
    add_floor(engine, log, &batch);
    origin_send(engine, log, &batch);
    for (struct request *request = log->unsent; request; request = next) {
        next = request->next;
        origin_sweep_log(&request->reads);
        if (!request->reads.place_count)
            origin_delist(request);
    }
    origin_sweep_log(&log->reads);
    if (writes)
        origin_sweep_log(&log->writes);
    lots_forget_old(engine, log);
}

void origin_hand_over_pending(struct engine *engine)
{
    struct ending open = {0};
    struct target_log *log, *next;
    HASH_ITER(hh, engine->logs, log, next)
    {
        if (log->reads.record_count || log->writes.record_count || log->unsent)
            origin_hand_over(engine, log, true, &open);
    }
}

void engine_hand_over(struct engine *engine, window_t window, uint32_t target)
{
    struct pair_key key = {window, target};
    struct target_log *log;
    struct ending open = {0};
    HASH_FIND(hh, engine->logs, &key, sizeof key, log);
    if (log && (log->reads.record_count || log->writes.record_count || log->unsent))
        origin_hand_over(engine, log, true, &open);
}
