#include <stdlib.h>
#include <string.h>
#include "internal.h"

/* A log that is longer than this is handed over before its time: that bounds the memory of an
 * origin that issues without end, and the target sorts out repetitions. */
#ifndef ORIGIN_LOG_LIMIT /* tests shrink it, so that small programs get there */
#define ORIGIN_LOG_LIMIT 4096
#endif
enum { LOG_LIMIT = ORIGIN_LOG_LIMIT };

static struct target_log *log_of(struct engine *engine, window_t window, uint32_t target)
{
    struct pair_key key = {window, target};
    struct target_log *log;
    HASH_FIND(hh, engine->logs, &key, sizeof key, log);
    if (!log) {
        log = allocate_zeroed(1, sizeof *log);
        log->key = key;
        log->epoch = EPOCH_NONE;
        HASH_ADD(hh, engine->logs, key, sizeof log->key, log);
    }
    return log;
}

static bool is_read(enum access_kind kind, uint32_t op)
{
    return kind == ACCESS_GET || (kind >= ACCESS_ACCUMULATE && op == ACC_NO_OP);
}

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

/* What a completing call ends: what the calling thread knows of, or simply everything. Without
 * `over` nothing ends, it is only handed over. */
struct ending {
    bool over;
    bool everything;
    struct thread_state *thread;
    time_point time; /* 0: nothing has ended yet */
};

static void happen(struct engine *engine, struct ending *ending)
{
    if (ending->over && !ending->time)
        ending->time = thread_end_event(engine, ending->thread);
}

static bool ends(const struct engine *engine, const struct ending *ending, actor_t actor,
                 time_point time)
{
    return !ending->over || ending->everything || MUTANT(flush_completes_all_threads) ||
           engine->config.implicit_world || thread_knows_event(engine, ending->thread, actor, time);
}

static struct sent_lot *remember_lot(struct target_log *log, const struct sent_lot *as)
{
    struct sent_lot *lot = allocate(sizeof *lot);
    *lot = *as;
    HASH_ADD(hh, log->sent, number, sizeof lot->number, lot);
    return lot;
}

static struct sent_lot *find_lot(const struct target_log *log, uint64_t number)
{
    struct sent_lot *lot;
    HASH_FIND(hh, log->sent, &number, sizeof number, lot);
    if (!lot)
        HASH_FIND(hh, log->ended, &number, sizeof number, lot);
    return lot;
}

static void add_ender(struct target_log *log, struct sent_lot *lot, uint32_t thread)
{
    if (!lot->over) {
        HASH_DEL(log->sent, lot);
        HASH_ADD(hh, log->ended, number, sizeof lot->number, lot);
    }
    lot->over = true;
    grow_array(lot->enders, lot->ender_count, lot->ender_capacity);
    lot->enders[lot->ender_count++] = thread;
}

static bool ended_by(const struct sent_lot *lot, uint32_t thread)
{
    for (size_t i = 0; i < lot->ender_count; i++)
        if (lot->enders[i] == thread)
            return true;
    return false;
}

static void forget_lot(struct sent_lot **list, struct sent_lot *lot)
{
    HASH_DEL(*list, lot);
    free(lot->enders);
    free(lot);
}

static void forget_lots(struct target_log *log)
{
    while (log->sent)
        forget_lot(&log->sent, log->sent);
    while (log->ended)
        forget_lot(&log->ended, log->ended);
}

/* Lots that are over stay for a while, since another thread may complete them too. With one thread
 * (so far) few suffice: one that is being born, and knows an operation but not its end. */
static void forget_old_lots(struct engine *engine, struct target_log *log)
{
    size_t limit = engine->thread_count > 1 ? 1024 : 16;
    while (HASH_COUNT(log->ended) > limit)
        forget_lot(&log->ended, log->ended);
}

static void add_close(struct batch *batch, const struct sent_lot *lot, const struct ending *ending)
{
    grow_array(batch->closes, batch->close_count, batch->close_capacity);
    batch->closes[batch->close_count++] =
        (struct batch_close){lot->number, ending->thread->number, ending->time, lot->over};
}

/* The thread completes this lot, unless it has done so before or does not know of it. */
static void close_lot(struct engine *engine, struct target_log *log, struct sent_lot *lot,
                      struct batch *batch, struct ending *ending)
{
    if (!ends(engine, ending, lot->actor, lot->time) || ended_by(lot, ending->thread->number))
        return;
    happen(engine, ending);
    add_close(batch, lot, ending);
    add_ender(log, lot, ending->thread->number);
    if (engine->config.implicit_world)
        forget_lot(&log->ended, lot);
}

/* Lots at the target that get an end now: first those that have one, so that none gets it twice. */
static void close_lots(struct engine *engine, struct target_log *log, struct batch *batch,
                       bool writes, struct ending *ending)
{
    struct sent_lot *lot, *next;
    HASH_ITER(hh, log->ended, lot, next)
    {
        if (lot->read || writes)
            close_lot(engine, log, lot, batch, ending);
    }
    HASH_ITER(hh, log->sent, lot, next)
    {
        if (lot->read || writes)
            close_lot(engine, log, lot, batch, ending);
    }
}

/* With one thread a flush ends all updates and puts that the target has, so they are one lot:
 * however often they are handed over, what is kept of them does not grow. */
static const struct sent_lot *open_writes(const struct engine *engine, const struct target_log *log)
{
    const struct sent_lot *lot = NULL;
    if (engine->config.implicit_world && log->open_writes)
        HASH_FIND(hh, log->sent, &log->open_writes, sizeof log->open_writes, lot);
    return lot;
}

/* The places of a log that end now, or all if nothing ends: one lot for each. Returns the number of
 * the last. */
static uint64_t move_log(struct engine *engine, struct target_log *log, struct batch *batch,
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
        if (!ends(engine, ending, actor, place->time))
            continue;
        happen(engine, ending);
        struct batch_lot lot = {.state =
                                    LOT_EXPOSED}; /* in PSCW the target says when writes are over */
        if (!exposed) {
            lot.state = ending->over ? LOT_OVER : LOT_OPEN;
            lot.thread = ending->over ? ending->thread->number : 0;
            lot.time = ending->time;
            const struct sent_lot *open = read || ending->over ? NULL : open_writes(engine, log);
            if (open) {
                lot.number = open->number;
            } else if (!ending->over || !engine->config.implicit_world) {
                number = lot.number = ++engine->last_number;
                struct sent_lot *sent = remember_lot(
                    log, &(struct sent_lot){
                             .number = number, .actor = actor, .time = place->time, .read = read});
                if (!ending->over && !read)
                    log->open_writes = number;
                if (ending->over)
                    add_ender(log, sent, ending->thread->number);
            }
        }
        add_records(batch, from, place, order + first[p], first[p + 1] - first[p]);
        add_lot(batch, lot);
        gone[p] = true;
        left--;
    }
    free(order);
    free(first);
    /* The batch points to the snapshots' clocks, so the places must outlive it: see sweep_log. */
    from->gone = gone;
    from->left = left;
    return number;
}

static void sweep_log(struct op_log *log)
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

static void send_batch(struct engine *engine, struct target_log *to, struct batch *batch)
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

/* ---- Direct loads and stores ---- */

void engine_direct(struct engine *engine, uint32_t number, window_t id, uint32_t owner,
                   const struct section *section, bool store, site_t site)
{
    struct window_state *window = window_find(engine, id);
    if (engine->exhausted || !window)
        return;
    struct thread_state *thread = thread_of(engine, number);
    struct target_log *log = log_of(engine, id, owner);
    /* Later than every operation that this thread has issued so far. */
    if (thread->now <= thread->issued)
        thread_advance(engine, thread);
    /* Inside a lock of (window, owner) it is one of the epoch's accesses. */
    struct lock_epoch *lock = lock_held(engine, window, owner);
    log->direct_lock = lock && !MUTANT(direct_outside_locks) ? lock->type : LOCK_NONE;
    if (lock && store)
        lock->wrote = true;
    else if (lock)
        lock_noted_read(engine, thread, lock);
    struct origin_place place = {.kind = store ? ACCESS_STORE : ACCESS_LOAD,
                                 .thread = number,
                                 .site = site & (SITE_LIMIT - 1),
                                 .start = thread_snapshot(engine, thread),
                                 .time = thread->now};
    log_add(&log->direct, &place, section);
    thread_label(thread);
    engine->direct_pending = true;
    engine->counters.operations++;
    if (log->direct.live > LOG_LIMIT)
        origin_hand_over_direct(engine);
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
        send_batch(engine, &as, &batch);
        log_empty(&log->direct);
    }
}

/* ---- Operations ---- */

static void list_unsent(struct request *request)
{
    struct target_log *log = request->to;
    request->before = log->last_unsent;
    *(log->last_unsent ? &log->last_unsent->next : &log->unsent) = request;
    log->last_unsent = request;
    request->listed = true;
}

static void delist_unsent(struct request *request)
{
    struct target_log *log = request->to;
    if (!request->listed)
        return;
    *(request->before ? &request->before->next : &log->unsent) = request->next;
    *(request->next ? &request->next->before : &log->last_unsent) = request->before;
    request->next = request->before = NULL;
    request->listed = false;
}

static void delete_request(struct engine *engine, struct request *request)
{
    delist_unsent(request);
    HASH_DEL(engine->requests, request);
    log_clear(&request->reads);
    free(request);
}

static void enter_epoch(struct engine *engine, struct target_log *log,
                        const struct window_state *window, struct lock_epoch **lock)
{
    uint32_t target = (uint32_t)log->key.target;
    *lock = lock_held(engine, window, target);
    log->lock = *lock ? (*lock)->type : LOCK_NONE;
    log->epoch_index = 0;
    if (*lock) {
        log->epoch = EPOCH_LOCK;
        return;
    }
    for (size_t i = 0; i < window->access_count; i++)
        if (window->access_group[i] == target) {
            log->epoch = EPOCH_EXPOSURE;
            log->epoch_index = partner_epochs(&window->starts, target);
            return;
        }
    log->epoch = EPOCH_FENCE;
    log->epoch_index = window->fences;
}

static void hand_over(struct engine *engine, struct target_log *log, bool writes,
                      struct ending *ending);

uint64_t engine_rma(struct engine *engine, uint32_t number, const struct rma_op *op,
                    bool with_request)
{
    struct window_state *window = window_find(engine, op->window);
    if (engine->exhausted || !window)
        return 0;
    struct thread_state *thread = thread_of(engine, number);
    struct target_log *log = log_of(engine, op->window, op->target);
    struct lock_epoch *lock;
    enter_epoch(engine, log, window, &lock);
    if (lock && op->section_count) {
        if (access_reads_target(op->kind, op->op))
            lock_noted_read(engine, thread, lock);
        if (access_writes_target(op->kind, op->op))
            lock->wrote = true;
    }
    if (!engine->config.implicit_world)
        thread_label(
            thread); /* other threads may have to know that it was issued, to complete it */
    struct origin_place place = {.kind = op->kind,
                                 .op = op->op,
                                 .type = op->type,
                                 .type_size = op->type_size,
                                 .thread = number,
                                 .site = op->site & (SITE_LIMIT - 1),
                                 .start = thread_snapshot(engine, thread),
                                 .time = thread->last};
    bool read = is_read(op->kind, op->op) && !MUTANT(end_get_local);
    struct op_log *to = read ? &log->reads : &log->writes;
    uint64_t id = 0;
    if (with_request && read) {
        struct request *request = allocate_zeroed(1, sizeof *request);
        request->id = id = ++engine->last_number;
        request->to = log;
        HASH_ADD(hh, engine->requests, id, sizeof request->id, request);
        list_unsent(request);
        to = &request->reads;
    }
    for (size_t i = 0; i < op->section_count; i++)
        log_add(to, &place, &op->sections[i]);
    thread->issued = thread->last;
    if (op->target == engine->config.rank && !MUTANT(own_issue_does_not_advance))
        thread_advance(engine, thread); /* own accesses from here on come after the issue */
    engine->counters.operations++;
    if (log->reads.live + log->writes.live > LOG_LIMIT) {
        struct ending open = {0};
        hand_over(engine, log, true, &open);
    }
    return id;
}

/* What has been issued to one target, all of it or only what reads: handed over, ended, or both. */
static void hand_over(struct engine *engine, struct target_log *log, bool writes,
                      struct ending *ending)
{
    if (engine->direct_pending && !MUTANT(direct_not_first))
        origin_hand_over_direct(engine); /* they may come before these in program order */
    struct batch batch = {0};
    struct request *next;
    if (ending->over)
        close_lots(engine, log, &batch, writes, ending);
    for (struct request *request = log->unsent; request; request = request->next) {
        uint64_t lot = move_log(engine, log, &batch, &request->reads, true, ending);
        if (lot)
            request->lot = lot;
    }
    move_log(engine, log, &batch, &log->reads, true, ending);
    if (writes)
        move_log(engine, log, &batch, &log->writes, false, ending);
    add_floor(engine, log, &batch);
    send_batch(engine, log, &batch);
    for (struct request *request = log->unsent; request; request = next) {
        next = request->next;
        sweep_log(&request->reads);
        if (!request->reads.place_count)
            delist_unsent(request);
    }
    sweep_log(&log->reads);
    if (writes)
        sweep_log(&log->writes);
    forget_old_lots(engine, log);
}

static void complete_log(struct engine *engine, struct target_log *log, enum completion what,
                         struct ending *ending)
{
    bool writes = what != COMPLETES_READS;
    if (log->reads.record_count || log->unsent || log->sent || log->ended ||
        (writes && log->writes.record_count))
        hand_over(engine, log, writes, ending);
    if (what == COMPLETES_ALL)
        forget_lots(log);
}

void origin_complete(struct engine *engine, struct thread_state *thread, window_t window,
                     uint32_t target, enum completion what)
{
    struct ending ending = {.over = true, .everything = what == COMPLETES_ALL, .thread = thread};
    struct target_log *log, *next;
    if (target != RANK_ALL) {
        struct pair_key key = {window, target};
        HASH_FIND(hh, engine->logs, &key, sizeof key, log);
        if (log)
            complete_log(engine, log, what, &ending);
        return;
    }
    HASH_ITER(hh, engine->logs, log, next)
    {
        if (log->key.window == window)
            complete_log(engine, log, what, &ending);
    }
}

void origin_hand_over_pending(struct engine *engine)
{
    struct ending open = {0};
    struct target_log *log, *next;
    HASH_ITER(hh, engine->logs, log, next)
    {
        if (log->reads.record_count || log->writes.record_count || log->unsent)
            hand_over(engine, log, true, &open);
    }
}

/* ---- Atomics ---- */

uint64_t engine_update_begin(struct engine *engine, uint32_t number, bool apart)
{
    struct thread_state *thread = thread_of(engine, number);
    if (apart || !thread->stamped)
        thread_end_event(engine, thread);
    else if (!engine->config.implicit_world)
        thread_label(thread); /* as engine_rma will do */
    thread->stamped = true;
    return thread->last;
}

void engine_hand_over(struct engine *engine, window_t window, uint32_t target)
{
    struct pair_key key = {window, target};
    struct target_log *log;
    struct ending open = {0};
    HASH_FIND(hh, engine->logs, &key, sizeof key, log);
    if (log && (log->reads.record_count || log->writes.record_count || log->unsent))
        hand_over(engine, log, true, &open);
}

void engine_updates_seen(struct engine *engine, uint32_t number, window_t window, uint32_t target,
                         const struct section *bytes, const struct update_seen *seen, size_t count)
{
    if (engine->exhausted || !window_find(engine, window) || !count)
        return;
    if (engine->direct_pending)
        origin_hand_over_direct(engine);
    time_point time = thread_end_event(engine, thread_of(engine, number));
    struct batch batch = {0};
    for (uint64_t block = 0; block < bytes->count; block++)
        for (size_t i = 0; i < count; i++) {
            grow_array(batch.seen, batch.seen_count, batch.seen_capacity);
            batch.seen[batch.seen_count++] = (struct batch_seen){
                bytes->start + block * bytes->stride,   bytes->length, number, time,
                actor_of(seen[i].rank, seen[i].thread), seen[i].stamp};
        }
    struct target_log to = {.key = {window, target}, .epoch = EPOCH_NONE};
    send_batch(engine, &to, &batch);
}

void engine_flush(struct engine *engine, uint32_t thread, window_t window, uint32_t target)
{
    if (!MUTANT(end_flush))
        origin_complete(engine, thread_of(engine, thread), window, target, COMPLETES_KNOWN);
}

void engine_flush_local(struct engine *engine, uint32_t thread, window_t window, uint32_t target)
{
    if (!MUTANT(end_flush_local))
        origin_complete(engine, thread_of(engine, thread), window, target,
                        MUTANT(flush_local_completes_all) ? COMPLETES_KNOWN : COMPLETES_READS);
}

void engine_request_complete(struct engine *engine, uint32_t number, uint64_t id)
{
    struct request *request;
    HASH_FIND(hh, engine->requests, &id, sizeof id, request);
    if (!request || MUTANT(end_request))
        return;
    struct target_log *log = request->to;
    if (engine->direct_pending)
        origin_hand_over_direct(engine);
    struct ending ending = {.over = true, .everything = true, .thread = thread_of(engine, number)};
    struct batch batch = {0};
    struct sent_lot *sent = request->lot ? find_lot(log, request->lot) : NULL;
    if (sent)
        close_lot(engine, log, sent, &batch, &ending);
    move_log(engine, log, &batch, &request->reads, true, &ending);
    send_batch(engine, log, &batch);
    sweep_log(&request->reads);
    delete_request(engine, request);
    forget_old_lots(engine, log);
}

/* From now on it is an operation without a request: pending until a flush or the end of the epoch.
 */
void engine_request_free(struct engine *engine, uint64_t id)
{
    struct request *request;
    HASH_FIND(hh, engine->requests, &id, sizeof id, request);
    if (!request)
        return;
    for (size_t i = 0; i < request->reads.record_count; i++) {
        const struct log_record *record = &request->reads.records[i];
        if (record->section.count)
            log_add(&request->to->reads, &request->reads.places[record->place], &record->section);
    }
    delete_request(engine, request);
}

/* ---- Ends ---- */

static void delete_log(struct engine *engine, struct target_log *log)
{
    HASH_DEL(engine->logs, log);
    log_clear(&log->reads);
    log_clear(&log->writes);
    log_clear(&log->direct);
    forget_lots(log);
    free(log);
}

void origin_drop_window(struct engine *engine, window_t window)
{
    if (engine->direct_pending)
        origin_hand_over_direct(engine);
    struct request *request, *next_request;
    HASH_ITER(hh, engine->requests, request, next_request)
    {
        if (request->to->key.window == window)
            delete_request(engine, request);
    }
    struct target_log *log, *next;
    HASH_ITER(hh, engine->logs, log, next)
    {
        if (log->key.window == window)
            delete_log(engine, log);
    }
}

void origin_clear(struct engine *engine)
{
    struct request *request, *next_request;
    HASH_ITER(hh, engine->requests, request, next_request)
    {
        delete_request(engine, request);
    }
    struct target_log *log, *next;
    HASH_ITER(hh, engine->logs, log, next)
    {
        delete_log(engine, log);
    }
}
