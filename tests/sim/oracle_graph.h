/* Inside of the oracle: the graph and the accesses that oracle_graph.c makes and oracle.c compares.
 */
#ifndef REGATTA_SIM_ORACLE_GRAPH_H
#define REGATTA_SIM_ORACLE_GRAPH_H

#include "oracle.h"

#define NEVER UINT32_MAX

/* A lock of one (window, target) by one rank. */
struct lock_epoch {
    uint8_t rank, window, target;
    uint8_t type;
    bool wrote;
    uint32_t locked, unlock, unlocked; /* events; NEVER if it has not happened */
};

enum access_mode { MODE_OWN, MODE_LOCK, MODE_PSCW, MODE_FENCE };

struct access {
    struct access_side side;
    const struct step *step;
    uint32_t owner;
    int window;  /* of RMA and direct accesses; -1: own */
    bool direct; /* or own: a load or store by the program */
    uint64_t bytes[BYTE_WORDS];
    uint64_t all_bytes[BYTE_WORDS]; /* also where no window shows the memory; own accesses and
                                       buffers only */
    uint32_t start;                 /* event */
    uint32_t opening;               /* event at the target that opens the epoch, or NEVER */
    uint64_t *ends;                 /* set of events: over for whoever knows one of them */
    enum access_mode mode;
    uint32_t epoch;              /* number of the fence or start */
    uint32_t operation;          /* of RMA; NEVER else */
    uint32_t buffer;             /* of buffers; NEVER else */
    uint32_t locks[MAX_WINDOWS]; /* lock epochs it is in */
    uint32_t lock_count;
};

/* A fetch that read what the access wrote at these bytes was complete: there it is over. */
struct sighting {
    uint32_t access, event;
    uint64_t bytes[BYTE_WORDS];
};

struct graph {
    const struct trace *trace;
    uint64_t without;
    size_t words;     /* of a set of events */
    uint64_t *before; /* [event]: all events that happen before it, and itself */
    struct access *accesses;
    size_t access_count, access_capacity;
    struct sighting *sightings;
    size_t sighting_count, sighting_capacity;
    struct lock_epoch *epochs;
    size_t epoch_count, epoch_capacity;
};

void graph_build(struct graph *graph, const struct trace *trace, uint64_t without);
void graph_clear(struct graph *graph);

static inline bool graph_has(const struct graph *graph, enum oracle_rule rule)
{
    return !(graph->without & RULE_BIT(rule));
}

static inline bool graph_before(const struct graph *graph, uint32_t a, uint32_t b)
{
    return graph->before[b * graph->words + a / 64] >> (a % 64) & 1;
}

#endif
