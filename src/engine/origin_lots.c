/* Operations that the target has but that may still get an end: what a completing call closes. */
#include <stdlib.h>
#include "origin.h"

void ending_happens(struct engine *engine, struct ending *ending)
{
    if (ending->over && !ending->time)
        ending->time = thread_end_event(engine, ending->thread);
}

bool ending_covers(const struct engine *engine, const struct ending *ending, actor_t actor,
                   time_point time)
{
    return !ending->over || ending->everything || MUTANT(flush_completes_all_threads) ||
           engine->config.implicit_world || thread_knows_event(engine, ending->thread, actor, time);
}

struct sent_lot *lot_remember(struct target_log *log, const struct sent_lot *as)
{
    struct sent_lot *lot = allocate(sizeof *lot);
    *lot = *as;
    HASH_ADD(hh, log->sent, number, sizeof lot->number, lot);
    return lot;
}

struct sent_lot *lot_find(const struct target_log *log, uint64_t number)
{
    struct sent_lot *lot;
    HASH_FIND(hh, log->sent, &number, sizeof number, lot);
    if (!lot)
        HASH_FIND(hh, log->ended, &number, sizeof number, lot);
    return lot;
}

void lot_add_ender(struct target_log *log, struct sent_lot *lot, uint32_t thread)
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

void lots_forget(struct target_log *log)
{
    while (log->sent)
        forget_lot(&log->sent, log->sent);
    while (log->ended)
        forget_lot(&log->ended, log->ended);
}

/* Lots that are over stay for a while, since another thread may complete them too. With one thread
 * (so far) few suffice: one that is being born, and knows an operation but not its end. */
void lots_forget_old(struct engine *engine, struct target_log *log)
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
void lot_close(struct engine *engine, struct target_log *log, struct sent_lot *lot,
               struct batch *batch, struct ending *ending)
{
    if (!ending_covers(engine, ending, lot->actor, lot->time) ||
        ended_by(lot, ending->thread->number))
        return;
    ending_happens(engine, ending);
    add_close(batch, lot, ending);
    lot_add_ender(log, lot, ending->thread->number);
    if (engine->config.implicit_world)
        forget_lot(&log->ended, lot);
}

/* Lots at the target that get an end now: first those that have one, so that none gets it twice. */
void lots_close(struct engine *engine, struct target_log *log, struct batch *batch, bool writes,
                struct ending *ending)
{
    struct sent_lot *lot, *next;
    HASH_ITER(hh, log->ended, lot, next)
    {
        if (lot->read || writes)
            lot_close(engine, log, lot, batch, ending);
    }
    HASH_ITER(hh, log->sent, lot, next)
    {
        if (lot->read || writes)
            lot_close(engine, log, lot, batch, ending);
    }
}

/* With one thread a flush ends all updates and puts that the target has, so they are one lot:
 * however often they are handed over, what is kept of them does not grow. */
const struct sent_lot *lots_open_writes(const struct engine *engine, const struct target_log *log)
{
    const struct sent_lot *lot = NULL;
    if (engine->config.implicit_world && log->open_writes)
        HASH_FIND(hh, log->sent, &log->open_writes, sizeof log->open_writes, lot);
    return lot;
}
