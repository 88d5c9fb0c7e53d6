/* The windows of this process and the epochs that are open on them: one model for everybody who
 * asks what a window is in – rules of use, order, stress. It knows nothing of operations, races or
 * what is permitted; it is told of calls that succeeded, also of those that should not have been
 * made.
 *
 * Locking: everything here needs the lock of the layer that uses it (the detector's session_lock,
 * the scheduler's layer_lock), readers included. The one exception is a window that its layer has
 * created and not yet added, or removed and not yet destroyed: only that call knows it. */
#ifndef REGATTA_INTERPOSE_WINDOWS_H
#define REGATTA_INTERPOSE_WINDOWS_H

#include <stddef.h>

#include "call.h"
#include "engine/table.h"

struct stack;

/* An epoch: whether it is open, and what opened it where. */
struct epoch {
    bool open;
    const struct routine *opener;
    const struct stack *stack;
};

/* What this process does with one target of a window. */
struct window_target {
    int rank;          /* in the window's group */
    struct epoch lock; /* MPI_Win_lock */
    UT_hash_handle hh;
};

/* Ranks in a window's group, ascending. */
struct window_ranks {
    int *ranks, n;
};

struct window {
    MPI_Win handle;
    enum object kind; /* OBJECT_window, OBJECT_allocated_window, … */
    const struct routine *constructor;
    const struct stack *created;
    char name[MPI_MAX_OBJECT_NAME]; /* that the program gave it; empty: none */

    /* A fence opens an epoch only if RMA follows before the next fence (MPI-4.0 §12.5.1): until
     * then any other epoch may be opened instead. */
    struct epoch fence;
    bool fence_used; /* RMA was issued in it */
    /* The last fence, if it came with MPI_MODE_NOSUCCEED and nothing has been opened since. */
    struct epoch last_fence;

    struct epoch access, exposure, lock_all;  /* start … complete, post … wait, lock_all */
    struct window_ranks accessed, exposed_to; /* the groups of the first two while they are open */
    int locks;                                /* targets that are locked one by one */
    struct window_target *targets, *recent_target;
    UT_hash_handle hh;
};

/* What each layer has to provide: the size of its own structs for windows and targets, which begin
 * with these two. Theirs is zero at first. */
struct window_sizes {
    size_t window, target;
};
extern const struct window_sizes window_sizes;

/* ---- life ---- */

/* The window that this constructor returned, not yet found by its handle. NULL without memory. */
struct window *window_create(const struct call *call);
/* From now on, and no longer, window_find and windows_first know it. */
void window_add(struct window *window);
void window_remove(struct window *window);
void window_destroy(struct window *window);

/* All of them, oldest first. */
struct window *windows_first(void);
static inline struct window *windows_next(const struct window *window)
{
    return window->hh.next;
}

/* ---- looking up ---- */

extern struct window *window_recent; /* window_find's */
struct window *window_look_up(MPI_Win handle);

/* The window, or NULL if it is not known (created before us, invalid). */
static inline struct window *window_find(MPI_Win handle)
{
    return window_recent && window_recent->handle == handle ? window_recent
                                                            : window_look_up(handle);
}

struct window_target *window_target_look_up(struct window *window, int rank);

/* NULL if nothing was ever done with this target. */
static inline struct window_target *window_target_find(struct window *window, int rank)
{
    return window->recent_target && window->recent_target->rank == rank
               ? window->recent_target
               : window_target_look_up(window, rank);
}

/* Makes it if need be. NULL without memory. */
struct window_target *window_target_get(struct window *window, int rank);

/* ---- which epochs are open ---- */

/* A lock that this process holds on the target, be it by MPI_Win_lock_all; NULL: none. */
static inline const struct epoch *window_lock_on(struct window *window, int rank)
{
    if (window->lock_all.open)
        return &window->lock_all;
    const struct window_target *target = window_target_find(window, rank);
    return target && target->lock.open ? &target->lock : NULL;
}

/* Any lock that this process holds; NULL: none. */
const struct epoch *window_any_lock(const struct window *window);

/* The access epoch that an operation on the target would belong to; NULL: none. Where MPI_Win_start
 * opened one, it may not name the target. */
static inline struct epoch *window_access_epoch(struct window *window, int rank)
{
    struct window_target *target;
    if (window->lock_all.open)
        return &window->lock_all;
    if ((target = window_target_find(window, rank)) && target->lock.open)
        return &target->lock;
    return window->access.open ? &window->access : window->fence.open ? &window->fence : NULL;
}

/* Whether the access epoch that MPI_Win_start opened is to the target. */
bool window_accesses(const struct window *window, int rank);

/* ---- calls that succeeded ---- */

/* Epochs opened (verb `opens`) and closed (`closes`; `tests` with a true flag). */
void window_epoch_opened(struct window *window, const struct call *call);
void window_epoch_closed(struct window *window, const struct call *call);
/* MPI_Win_set_name. */
void window_named(struct window *window);

#endif
