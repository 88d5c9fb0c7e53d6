#ifndef REGATTA_REPLAY_WINDOW_H
#define REGATTA_REPLAY_WINDOW_H

#include "mpi.h"

typedef ROW(struct bytes) bytes_row;

/* What is known of the epochs between two members (world ranks). */
struct pair_state {
    bytes_row posts;     /* clocks of the target's posts that name the origin */
    bytes_row completes; /* clocks of the origin's completes */
    size_t starts, waits;
    int held; /* the origin's lock of the target: enum lock_type */
};

struct attached {
    uint64_t base, size;
};

struct window {
    window_t name;
    size_t number;
    struct comm *comm; /* of its own */
    bool dynamic, shared, same_op, freed[MOST_PROCESSES];
    uint64_t base[MOST_PROCESSES], size[MOST_PROCESSES], unit[MOST_PROCESSES];
    uint64_t fences[MOST_PROCESSES];
    site_t no_succeed[MOST_PROCESSES]; /* of the last fence, if it opened no epoch */
    bool locked_all[MOST_PROCESSES];
    struct pair_state pairs[MOST_PROCESSES][MOST_PROCESSES]; /* [origin][target] */
    struct bytes lock_state[MOST_PROCESSES];
    bool posted[MOST_PROCESSES][MOST_PROCESSES]; /* [target][origin]: exposure epoch is open */
    bool exposed[MOST_PROCESSES];
    bool started[MOST_PROCESSES][MOST_PROCESSES]; /* [origin][target] */
    bool fetched[MOST_PROCESSES][MOST_PROCESSES];
    ROW(struct attached) attached[MOST_PROCESSES];
};

struct sight { /* what a fetch has seen */
    struct bytes clock;
    struct section bytes; /* at the target, as addresses */
    uint64_t stamps[MOST_PROCESSES];
};

struct operation {
    struct window *window;
    struct process *origin;
    int target;
    struct use *uses[3];
    ROW(struct sight) sights;
    uint64_t request; /* of the engine */
    bool with_request;
    bool over; /* locally */
    bool held; /* by a request: not to be freed with the epoch */
};

struct window *window_at(struct call *c, int argument);
/* Local completion of what the process has issued to the target (-1: any). */
void operations_over(struct call *c, struct window *window, int target);
/* Their buffers are free: told at the entry of the call, the rest when it returns. */
void buffers_over(struct call *c, const struct window *window, int target);
void releases_close(struct mpi *mpi);

#endif
