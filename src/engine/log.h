/* What this rank has issued to one window at one target and not yet handed over.
 *
 * Neighbours from one place become one record: adjacent sections grow, equally spaced ones become
 * one strided section. Several interleaved streams are followed at once, so that "x and y of every
 * particle" ends as two records. Merging never changes which bytes are touched by how many
 * operations: a section only grows by bytes it does not have yet, and an operation that repeats
 * bytes stays a record of its own. */
#ifndef REGATTA_ENGINE_LOG_H
#define REGATTA_ENGINE_LOG_H

#include "clock.h"
#include "event.h"

/* What an actor knew at some moment, shared by all that was issued with this knowledge. */
struct snapshot {
    uint32_t references;
    struct clock clock;
};

void snapshot_drop(struct snapshot *snapshot);

enum { RECENT = 24 }; /* records of a place that can still grow: streams, and what may become one */

/* Operations from one place, with equal knowledge: only these can merge. */
struct origin_place {
    enum access_kind kind;
    uint32_t op, type, type_size;
    uint32_t thread;
    site_t site;
    struct snapshot *start;
    time_point time; /* when it was issued; of direct loads and stores: when they happened */
    uint32_t recent[RECENT]; /* its records that were touched last, newest first */
    uint32_t recent_count;
    uint32_t misses; /* sections in a row that fitted nowhere */
};

struct log_record {
    struct section section; /* count 0: merged away */
    uint32_t place;
};

struct op_log {
    struct origin_place *places;
    size_t place_count, place_capacity;
    struct log_record *records;
    size_t record_count, record_capacity;
    size_t live;      /* records that are not merged away */
    site_t scattered; /* the place that scattered its records last; 0: none */
    bool *gone;       /* while it is being handed over: which places go, and how many stay */
    size_t left;
};

/* Adds one section of an operation. The log takes a reference to the snapshot if it is a new place.
 */
void log_add(struct op_log *log, const struct origin_place *place, const struct section *section);
void log_empty(struct op_log *log);                    /* drops all, keeps the memory */
void log_remove(struct op_log *log, const bool *gone); /* drops these places, by index */
void log_clear(struct op_log *log);

/* The records place by place: order[first[p]] … order[first[p + 1] - 1] are the numbers of those of
 * place p. `order` has room for all records; the result has to be freed. */
uint32_t *log_by_place(const struct op_log *log, uint32_t *order);
size_t log_bytes(const struct op_log *log);

#endif
