/* Inside of the oracle: where things stand while the trace is walked, event by event. Shared by
 * oracle_graph.c (what is ordered) and oracle_access.c (what is accessed, and until when). */
#ifndef REGATTA_SIM_ORACLE_WALK_H
#define REGATTA_SIM_ORACLE_WALK_H

#include "oracle_graph.h"

#define FENCES 64

/* Where things stand while the trace is walked. Numbers of events, NEVER where there was none. */
struct walk {
    struct graph *graph;
    const struct trace *trace;
    const struct program *program;
    uint32_t last[MAX_RANKS][MAX_THREADS];
    uint32_t created[MAX_RANKS][MAX_THREADS], ended[MAX_RANKS][MAX_THREADS];
    uint32_t mutex[MAX_RANKS][MAX_MUTEXES + MAX_FLAGS], signal[MAX_RANKS][MAX_FLAGS];
    uint32_t *sends, *receives, *collectives; /* collectives: [instance][rank] */
    uint32_t *issued, *executed;              /* [operation] */
    uint32_t *access_of;                      /* [operation] */
    uint32_t *acquired, *over; /* [operation] returns of the calls that complete it */
    uint32_t constructed[MAX_WINDOWS][MAX_RANKS], freed[MAX_WINDOWS][MAX_RANKS];
    uint8_t live[MAX_WINDOWS];
    uint64_t attached[MAX_WINDOWS][MAX_RANKS][BYTE_WORDS];
    uint32_t fences[MAX_WINDOWS][MAX_RANKS][FENCES], fence_count[MAX_WINDOWS][MAX_RANKS];
    uint32_t posts[MAX_WINDOWS][MAX_RANKS][MAX_RANKS][FENCES]; /* [target][origin] */
    uint32_t post_count[MAX_WINDOWS][MAX_RANKS][MAX_RANKS];
    uint32_t completes[MAX_WINDOWS][MAX_RANKS][MAX_RANKS][FENCES]; /* [origin][target] */
    uint32_t start_count[MAX_WINDOWS][MAX_RANKS][MAX_RANKS];
    uint8_t started[MAX_WINDOWS][MAX_RANKS]; /* groups */
    uint8_t fetched[MAX_WINDOWS][MAX_RANKS]; /* targets of which data came back */
    uint8_t posted[MAX_WINDOWS][MAX_RANKS];
    uint32_t held[MAX_WINDOWS][MAX_RANKS][MAX_RANKS]; /* lock epoch by origin at target */
};

/* An edge of the graph; unless the rule is taken out. */
void edge(struct walk *w, uint32_t from, uint32_t to);
void edge_by(struct walk *w, enum oracle_rule rule, uint32_t from, uint32_t to);

/* What an event means for accesses: oracle_access.c */
void locked(struct walk *w, uint32_t event);
void program_access(struct walk *w, uint32_t event);
void operation_issued(struct walk *w, uint32_t event);
void buffer_begins(struct walk *w, uint32_t event);
void buffer_ends(struct walk *w, uint32_t event);
void flushed(struct walk *w, uint32_t event, const struct step *step, bool local);
void waited(struct walk *w, uint32_t event);
void complete_operations(struct walk *w, uint32_t event, uint32_t window, uint32_t target,
                         enum access_mode mode, bool gets_only, bool by_order);
void end_at(struct access *access, uint32_t event);
bool like_get(const struct walk *w, const struct access *access);
void leave_buffers_out_of_open_locks(struct graph *graph);

#endif
