/* Memory that runs out. The program must not suffer, and nothing may be reported that is not there.
 *
 * At the cap accesses to window memory that are over are forgotten, and it is said: races with them
 * are missed. That is exact in the other direction: a race is always one of a newcomer with an
 * access that is remembered, so what is forgotten ends the search for it and invents nothing. What
 * orders (clocks, letters, locks) is never forgotten, because a lost edge would be a false race. If
 * what is left grows all the same, races between ranks are no longer looked for, and their memory
 * is given back; the process goes on looking at its own buffers. If that does not help, memory
 * becomes short.
 *
 * Short is memory when an allocation has failed: something was forgotten, whatever it was, so the
 * process goes blind. It reports nothing from that moment on, and tells the others, before it tells
 * them anything else, that order can no longer be followed.
 *
 * Needs the session's lock. */
#ifndef REGATTA_RUNTIME_SHORTAGE_H
#define REGATTA_RUNTIME_SHORTAGE_H

#include <stdbool.h>

#include "interpose/heap.h"

/* Before anything is allocated. */
void shortage_prepare(void);
/* Decides on the cap, when it is known how many ranks share the memory of this node. */
void shortage_set_cap(int ranks_on_node);

void shortage_act(void);

/* At the beginning of each event, outside of the engine. */
static inline void shortage_mind(void)
{
    if (heap_is_short() || heap_is_at_cap())
        shortage_act();
}

/* Before anything is told to others: what is short here may be missing in it. */
static inline void shortage_mind_sending(void)
{
    if (heap_is_short())
        shortage_act();
}

/* Nothing may be reported any more; to be asked at the moment of reporting. */
static inline bool shortage_blinds(void)
{
    return heap_is_short();
}

/* The last event may have been the one. */
void shortage_end(void);

#endif
