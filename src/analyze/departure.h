/* Everybody leaves a loop together in which everybody waits for everybody: its branches go the same
 * way in all processes, or the calls would not meet. So who is still in the loop does not meet
 * who has left it after the same call. */
#ifndef REGATTA_ANALYZE_DEPARTURE_H
#define REGATTA_ANALYZE_DEPARTURE_H

#include "events.h"

/* Whether of two processes that have both come on from this call none can be at `one` while the
 * other one is at `two`, without another call of everybody. `waits`: by event, whether it is one;
 * `aligned`: by loop, whether there is one in it. */
bool departed_together(const struct function *function, const bool *waits, const bool *aligned,
                       size_t call, size_t one, size_t two);

#endif
