/* What the parts of the origin's side share: origin.c (operations, from issue to completion),
 * origin_lots.c (what the target has, and has not ended yet), origin_handover.c (batches). */
#ifndef REGATTA_ENGINE_ORIGIN_H
#define REGATTA_ENGINE_ORIGIN_H

#include "internal.h"

/* What a completing call ends: what the calling thread knows of, or simply everything. Without
 * `over` nothing ends, it is only handed over. */
struct ending {
    bool over;
    bool everything;
    struct thread_state *thread;
    time_point time; /* 0: nothing has ended yet */
};

/* ---- origin.c ---- */
/* All reads of the request have been handed over. */
void origin_delist(struct request *request);

/* ---- origin_lots.c ---- */
/* Something ends by this call: it gets its time, once. */
void ending_happens(struct engine *engine, struct ending *ending);
/* Whether the call ends what that actor issued then. */
bool ending_covers(const struct engine *engine, const struct ending *ending, actor_t actor,
                   time_point time);
struct sent_lot *lot_remember(struct target_log *log, const struct sent_lot *as);
struct sent_lot *lot_find(const struct target_log *log, uint64_t number);
void lot_add_ender(struct target_log *log, struct sent_lot *lot, uint32_t thread);
void lot_close(struct engine *engine, struct target_log *log, struct sent_lot *lot,
               struct batch *batch, struct ending *ending);
void lots_close(struct engine *engine, struct target_log *log, struct batch *batch, bool writes,
                struct ending *ending);
const struct sent_lot *lots_open_writes(const struct engine *engine, const struct target_log *log);
void lots_forget(struct target_log *log);
void lots_forget_old(struct engine *engine, struct target_log *log);

/* ---- origin_handover.c ---- */
/* Moves what ends now from a log to a batch; when that is sent, the log is to be swept. Returns the
 * number of the last lot. */
uint64_t origin_move_log(struct engine *engine, struct target_log *log, struct batch *batch,
                         struct op_log *from, bool read, struct ending *ending);
void origin_sweep_log(struct op_log *log);
/* Sends the batch, if there is something in it, and clears it. */
void origin_send(struct engine *engine, struct target_log *to, struct batch *batch);
void origin_hand_over(struct engine *engine, struct target_log *log, bool writes,
                      struct ending *ending);

#endif
