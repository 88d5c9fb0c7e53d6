/* The state of the layer in this process, and its life: it is active from MPI_Init to MPI_Finalize
 * if `regatta stress` started the process, and lets all calls through untouched otherwise. A forked
 * child is never active.
 *
 * Locks. `layer_lock` guards everything shared: windows, requests, layouts, stacks, random numbers.
 * It is held for short stretches, never while a call that may wait for another process is with MPI.
 * A window's own lock (windows.h) is held while its operations are released, and is taken before
 * layer_lock. */
#ifndef REGATTA_STRESS_LAYER_H
#define REGATTA_STRESS_LAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "routine_ids.h"

struct layout_cache;

struct layer {
    int rank, ranks; /* in MPI_COMM_WORLD */
    struct layout_cache *layouts;
    uint64_t random;
};
extern struct layer layer;

extern atomic_bool layer_active;

static inline bool layer_is_active(void)
{
    return atomic_load_explicit(&layer_active, memory_order_acquire);
}

void layer_lock(void);
void layer_unlock(void);

/* For calls while the layer is not active: makes sure that MPI's entry points are known, and says
 * whether this routine is the one that can start it. */
bool layer_admits(enum routine_id routine, const void *caller, const void *frame);

/* MPI has been initialised: start. */
void layer_start(void);
/* The process leaves MPI; `state` goes into the records. */
void layer_end(const char *state);

/* Sleeps for a random time of at most that many microseconds; after some seconds altogether, no
 * more. */
void layer_sleep(long most);
/* A random number below `limit`. */
uint64_t layer_random(uint64_t limit);

#endif
