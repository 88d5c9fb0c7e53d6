/* Operations on their way from one origin to one target: one window, one epoch.
 *
 * A lot is a group of records that end together. It is over when the batch is sent, or open: then a
 * later batch closes it by its number, or the target's wait does. */
#ifndef REGATTA_ENGINE_BATCH_H
#define REGATTA_ENGINE_BATCH_H

#include "encoding.h"
#include "clock.h"
#include "event.h"

enum lot_state { LOT_OVER, LOT_OPEN, LOT_EXPOSED, LOT_STATES };

struct batch_lot {
    enum lot_state state;
    uint64_t number;   /* LOT_OPEN; LOT_OVER: if it may get further ends, else 0 */
    uint32_t thread;   /* LOT_OVER: the thread of the origin that saw the end, */
    time_point time;   /* and when */
    size_t record_end; /* its records end here; they start where those of the lot before end */
};

struct batch_close { /* an open lot is over, or one that is over has one more end */
    uint64_t number;
    uint32_t thread;
    time_point time;
    bool further; /* it had an end before */
};

/* The origin of the batch has fetched what an update of another (or its own) wrote at these bytes
 * of the window: what that actor issued there until `stamp` is over for whoever knows (thread,
 * time) of the origin of the batch. */
struct batch_seen {
    uint64_t start, length;
    uint32_t thread;
    time_point time;
    actor_t updater;
    time_point stamp;
};

struct batch_record {
    enum access_kind kind;
    uint32_t op, type, type_size;
    uint32_t thread;
    site_t site;
    uint32_t clock; /* index: what the origin knew when it issued this */
    struct section section;
};

struct batch {
    uint32_t origin, target;
    window_t window;
    enum epoch_kind epoch;
    uint64_t epoch_index; /* which fence of the window, which post to this origin */
    enum lock_type lock;
    uint32_t floor; /* 1 + index of a clock: all that the origin will hand over to this target from
                     * now on knew that much when it was issued. 0: not said */
    const struct clock **clocks;
    size_t clock_count, clock_capacity;
    struct batch_close *closes;
    size_t close_count, close_capacity;
    struct batch_seen *seen;
    size_t seen_count, seen_capacity;
    struct batch_lot *lots;
    size_t lot_count, lot_capacity;
    struct batch_record *records;
    size_t record_count, record_capacity;
    struct clock *owned_clocks; /* what `clocks` points to in a decoded batch */
};

void batch_encode(const struct batch *batch, struct writer *out);

/* Refuses whatever is not exactly one valid batch. The result needs batch_clear. */
bool batch_decode(struct batch *batch, const void *bytes, size_t size);
void batch_clear(struct batch *batch);

#endif
