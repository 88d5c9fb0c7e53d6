/* Atomics as synchronisation: an accumulate-family update → a fetching one that reads its value or
 * a later one (semantics page, section 3). Needs the session's lock.
 *
 * The clocks of the updates of a location stand on a blackboard of the target, each as it was when
 * its update was issued, and with the update's stamp. A fetch gets to know what the updates knew,
 * and that they are over, but not what their origins did since: so nothing is written when an
 * update is complete.
 *
 * In which order the target executes operations is not known here, so an update writes before it
 * can be executed, and a fetch reads after it has been. What stands there then is too much: also
 * updates that were published, but not executed before the fetch. Two things tell some of them
 * apart, and neither can leave out one that was seen.
 *
 *   - A compare-and-swap that found something else was no update: it is taken back.
 *   - A fetch of one element has read what one update wrote. Where values are known (replace, swap;
 * sums and the like of integers when they are complete) that is one of those that wrote the value,
 * and what was published after that one was over came later:
 *
 *         O   put  replace by 0 (5) . flush  flush of the put  swap 0 → 1 (6)
 *         Q                   fetch got 0 ........................... looks: 5 wrote 0 and was over
 *                                                                     before 6 came, so not 6
 *
 *     Values repeat: all that may have written it count. A store or put that wrote the same value
 *     is ordered with all updates around it, or races with them: if no update wrote the value, none
 *     was seen.
 *
 * Only the target knows what a sum that fetches nothing makes of what is there. So where somebody
 * may look, it is handed to MPI as one that fetches, into memory of ours: to the program that is
 * the same (MPI-4.0 §12.3.4, same atomicity and order). And where it matters what an update that
 * is under way writes, a fetch that has read waits a moment for it.
 *
 * What is left orders too much, never too little: values that nobody knows (floating point,
 * several elements at once, threads other than the first), updates that stay under way
 * for long, and those that so many others followed that they are not on record any more. */
#ifndef REGATTA_RUNTIME_RELEASES_H
#define REGATTA_RUNTIME_RELEASES_H

#include <stdbool.h>

#include <mpi.h>

#include "engine/engine.h"
#include "release_boards.h"

/* Where an update that is made to fetch says what it found. With a request of the program's it is
 * complete there at once: what it adds is kept here, and the request of the one that fetches is
 * ours, to be completed with it. */
struct release_answer {
    uint64_t found, operand;
    MPI_Request request;
    bool has_request;
};

/* The buffers of an accumulate of one element of at most 8 bytes, without gaps; else all NULL. */
struct release_buffers {
    const void *writes; /* what the update writes, if the origin knows it */
    const void *operand;
    enum release_op op;
    const void *compare;           /* of a compare-and-swap */
    void *result;                  /* of a fetch */
    bool asks;                     /* the update fetches nothing, but can be made to */
    struct release_answer *answer; /* if it does */
    bool alone;  /* no exclusive lock can have let anybody write unnoticed: one is not
                    ordered with those before it unless it reads */
    bool spared; /* certainly this process has written there by nothing but updates */
};

/* An accumulate is told to the engine: before, for its stamp, and behind. `base` is the address of
 * the target's window memory there. Gives the number for release_request_complete: that of the
 * engine, if it has one. Of an update that asks `answer` is set then, which has to be given before
 * it is complete; or `asks` is taken back. */
uint64_t release_prepare(void);
uint64_t release_issued(const struct rma_op *op, uint64_t base, uint64_t stamp,
                        struct release_buffers *buffers, uint64_t request, bool has_request);
/* Those of this window and target (RANK_ALL: of all) are complete: fetches learn. */
void releases_completed(window_t window, uint32_t target);
void releases_completed_locally(window_t window, uint32_t target);
void release_request_complete(uint64_t request);
void releases_forget(window_t window);

/* Atomics of the programming language in a shared-memory window: a store releases, before it
 * happens; a load acquires, after it has happened. */
void release_publish_at(window_t window, uint32_t owner, uint64_t offset);
void release_acquire_at(window_t window, uint32_t owner, uint64_t offset);
/* A fence that releases, and a relaxed store: it releases what was known at the actor's last such
 * fence, if there was any. */
void release_fence(void);
void release_publish_fenced_at(window_t window, uint32_t owner, uint64_t offset);

/* Something happened that other processes may have to know: a call that does more than issue an
 * operation, an access to window memory. */
extern bool releases_know_now;
static inline void releases_outdate(void)
{
    releases_know_now = false;
}

#endif
