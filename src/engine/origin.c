#include <stdlib.h>
#include "origin.h"

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

/* ---- Operations ---- */

static void list_unsent(struct request *request)
{
    struct target_log *log = request->to;
    request->before = log->last_unsent;
    *(log->last_unsent ? &log->last_unsent->next : &log->unsent) = request;
    log->last_unsent = request;
    request->listed = true;
}

void origin_delist(struct request *request)
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
    origin_delist(request);
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
        origin_hand_over(engine, log, true, &open);
    }
    return id;
}

/* ---- Completion ---- */

static void complete_log(struct engine *engine, struct target_log *log, enum completion what,
                         struct ending *ending)
{
    bool writes = what != COMPLETES_READS;
    if (log->reads.record_count || log->unsent || log->sent || log->ended ||
        (writes && log->writes.record_count))
        origin_hand_over(engine, log, writes, ending);
    if (what == COMPLETES_ALL)
        lots_forget(log);
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
    struct sent_lot *sent = request->lot ? lot_find(log, request->lot) : NULL;
    if (sent)
        lot_close(engine, log, sent, &batch, &ending);
    origin_move_log(engine, log, &batch, &request->reads, true, &ending);
    origin_send(engine, log, &batch);
    origin_sweep_log(&request->reads);
    delete_request(engine, request);
    lots_forget_old(engine, log);
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
    origin_send(engine, &to, &batch);
}

/* ---- Ends ---- */

static void delete_log(struct engine *engine, struct target_log *log)
{
    HASH_DEL(engine->logs, log);
    log_clear(&log->reads);
    log_clear(&log->writes);
    log_clear(&log->direct);
    lots_forget(log);
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
