/* What the ranks of a window have agreed about it, beside what each of them knows by itself
 * (interpose/windows.h). For the files behind rma.h. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_RMA_WINDOW_H
#define REGATTA_RUNTIME_RMA_WINDOW_H

#include "comms.h"
#include "engine/event.h"
#include "watched_window.h"

/* Where a member's window memory is, and whether its program can fetch by atomics. */
struct member {
    uint64_t base, size, disp_unit, fetches;
};

struct rma_window {
    struct window *model;
    window_t id;            /* the same in all ranks */
    struct comm *group;     /* its members, with counters of its own */
    struct member *members; /* by rank */
    bool fetched;           /* a member may fetch by atomics */
    UT_hash_handle hh;      /* by id */
};

/* NULL if the window is not known, or has members whose order is not. */
static inline struct rma_window *rma_window_find(MPI_Win win)
{
    struct window *window = window_find(win);
    return window ? watched_window(window)->agreed : NULL;
}

/* NULL without memory. */
static inline struct watched_target *rma_target(const struct rma_window *window, int rank)
{
    return watched_target(window_target_get(window->model, rank));
}

static inline bool rma_is_dynamic(const struct rma_window *window)
{
    return window->model->kind == OBJECT_dynamic_window;
}

/* What earlier holders of the lock left; their operations come first. */
void rma_lock_granted(const struct rma_window *window, struct watched_target *target,
                      uint32_t owner);

/* Whether a module of this process, as they are now, can call MPI_Win_flush_local(_all). */
bool rma_program_flushes_locally(void);
/* Whether it can ask where window memory of others is, and store there by itself. */
bool rma_program_shares_memory(void);

#endif
