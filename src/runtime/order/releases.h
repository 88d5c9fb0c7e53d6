/* Atomics as synchronisation: an accumulate-family update → a fetching one that reads its value or
 * a later one (semantics page, section 3). Needs the session's lock.
 *
 * The clocks of the updates of a location stand on a blackboard of the target, each as it was when
 * its update was issued, and with the update's stamp. A fetch gets to know what the updates knew,
 * and that they are over, but not what their origins did since: so nothing is written when an
 * update is complete.
 *
 * In which order the target executes operations is not known here, so an update writes before it
 * can be executed, and a fetch reads after it has been: that can order too much, never too little.
 * The values do not help. Updates write the same values again and again (0 and 1 of a lock), sums
 * have none of their own, a compare-and-swap that failed wrote nothing; and even a fetch that got a
 * value which only one update can have written must learn of all updates that came before that one,
 * of which it knows the value of none. To leave one of them out because of a value can invent a
 * race, to take all can only miss one. What is missed is what an origin does to the same location
 * again, after the update that was read, and before its reader has come to look. */
#ifndef REGATTA_RUNTIME_RELEASES_H
#define REGATTA_RUNTIME_RELEASES_H

#include "engine/engine.h"

/* An accumulate is told to the engine: before, for its stamp, and behind. `base` is the address of
 * the target's window memory there. Gives the number for release_request_complete: that of the
 * engine, if it has one. */
uint64_t release_prepare(void);
uint64_t release_issued(const struct rma_op *op, uint64_t base, uint64_t stamp, uint64_t request,
                        bool has_request);
/* Those of this window and target (RANK_ALL: of all) are complete: fetches learn. */
void releases_completed(window_t window, uint32_t target);
void releases_completed_locally(window_t window, uint32_t target);
void release_request_complete(uint64_t request);
void releases_forget(window_t window);

/* Atomics of the programming language in a shared-memory window: a store releases, before it
 * happens; a load acquires, after it has happened. */
void release_publish_at(window_t window, uint32_t owner, uint64_t offset);
void release_acquire_at(window_t window, uint32_t owner, uint64_t offset);

/* Something happened that other processes may have to know: a call that does more than issue an
 * operation, an access to window memory. */
extern bool releases_know_now;
static inline void releases_outdate(void)
{
    releases_know_now = false;
}

#endif
