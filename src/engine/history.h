/* What others did to this rank's window memory (and this rank, by RMA or by buffers in use).
 *
 * A node is one section touched by operations of one actor from one site that ended together. Nodes
 * stand in an interval tree by address. Operations are entered in an order that respects
 * happens-before (see engine.h), so a newcomer is never over before an older node started: whether
 * the two are concurrent depends only on whether the newcomer knew at its start that the older one
 * was over. Hence nodes remember their end and not their start.
 *
 * Forgetting keeps every pair of sites:
 *   - a node is superseded by a newer one of the same actor, site, kind and lock that covers its
 * bytes and ends no earlier: whoever races with the old one and comes later races with the new one;
 *   - after a world-wide synchronisation, everything that was over before it is known to all;
 *   - without one, what all who can reach the memory are known to know (forget.c). */
#ifndef REGATTA_ENGINE_HISTORY_H
#define REGATTA_ENGINE_HISTORY_H

#include "alloc.h"
#include "clock.h"
#include "event.h"
#include "conflict_table.h"
#include "spans.h"
#include "table.h"

enum node_state {
    NODE_OVER,       /* `end` is known */
    NODE_LOT_OPEN,   /* until its origin says that the lot is over */
    NODE_EXPOSED,    /* until this rank's wait for the exposure */
    NODE_BUFFER_OPEN /* until engine_buffer_end */
};

struct node_end {
    actor_t actor;
    time_point time;
    struct node_end *next;
};

/* Its bytes in [low, high) are over for whoever knows this event: a fetch that read what it wrote
 * there was complete. */
struct seen_end {
    actor_t actor;
    time_point time;
    uint64_t low, high;
    struct seen_end *next;
};

struct node {
    struct span span;       /* first: a span is its node */
    struct section section; /* addresses at this rank */
    struct access access;
    window_t window;
    enum lock_type lock; /* of (window, this rank), held by the origin */
    enum node_state state;
    actor_t end_actor;
    time_point end;
    struct node_end *more_ends;
    struct seen_end *seen;      /* of accumulates, open ones too */
    time_point issued;          /* of accumulates: their stamp (engine_update_begin) */
    uint64_t number;            /* in the order of entering */
    bool after_seen;            /* knew a fetch on these bytes to be complete (seen.c, late ones) */
    uint64_t lot;               /* while open: number of the lot, the exposure or the buffer */
    uint32_t lockset;           /* of buffers: locks that this rank holds on itself */
    struct node *next, *before; /* in the list of its lot, of buffers in use or of ended nodes */
};

struct node_list {
    struct node *first;
};

/* Operations that end together: those of one lot of an origin, or all that await the end of this
 * rank's exposure of a window. */
struct open_key {
    uint64_t number; /* of the lot, or the window */
    uint32_t rank;   /* the origin */
    enum node_state state;
};

struct open_nodes {
    struct open_key key;
    struct node_list nodes;
    UT_hash_handle hh;
};

struct history {
    struct spans spans;
    struct pool nodes, ends, seen;
    uint64_t entered; /* the number of the last one */
    struct open_nodes *open;
    struct node_list buffers, ended;
    size_t peak;
};

void history_init(struct history *history);
void history_clear(struct history *history);

/* Enters a copy of this node (span and links are filled in here). */
struct node *history_insert(struct history *history, const struct node *node);
void history_remove(struct history *history, struct node *node);

/* The open nodes of a lot, and those of an exposed window: the first of a list, or NULL. */
struct node *history_lot(const struct history *history, uint32_t origin, uint64_t lot);
struct node *history_exposed(const struct history *history, window_t window);

/* The node's operations are over. For a node that is over: this is one more end of them. */
void history_end(struct history *history, struct node *node, actor_t actor, time_point time);

/* Whether the newer node makes the older one superfluous; `newer_knows` tells whether the newer one
 * knew at its start that the older one was over. */
bool history_supersedes(const struct node *newer, const struct node *older, bool newer_knows);

/* Drops all nodes that are over, unless `needed` objects. */
typedef bool history_needed(void *context, const struct node *node);
void history_forget(struct history *history, history_needed *needed, void *context);

#endif
