/* Atomics as synchronisation: an accumulate-family update → a fetching one that reads its value or
 * a later one (semantics page, section 3). Needs the session's lock.
 *
 * The clocks of the updates of a location stand on a blackboard of the target. In which order the
 * target executes operations is not known here, so an update writes its clock before it can be
 * executed, and a fetch reads after it has been: that can order too much, never too little. A
 * second time the update writes when it is remotely complete: from then on it is itself known to be
 * over. */
#ifndef REGATTA_RUNTIME_RELEASES_H
#define REGATTA_RUNTIME_RELEASES_H

#include "engine/engine.h"

/* An accumulate was told to the engine. `base` is the address of the target's window memory there.
 */
void release_issued(const struct rma_op *op, uint64_t base, uint64_t request);
/* Whether this process has ever fetched its own bytes at this address by an atomic operation. If so
 * it may have seen the value of an update whose origin does not know yet that it is over, and may
 * act on it: MCS locks do. */
bool release_was_fetched(uint64_t address);
/* Those of this window and target (RANK_ALL: of all) are complete. */
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
