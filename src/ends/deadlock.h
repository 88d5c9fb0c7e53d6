/* Which ranks can never go on. */
#ifndef REGATTA_ENDS_DEADLOCK_H
#define REGATTA_ENDS_DEADLOCK_H

#include "needs.h"

/* What each rank waits for. */
struct standing {
    bool blocked; /* all its threads that could call MPI are in calls, and have been for a while */
    bool stuck;
    struct need *needs; /* of all its calls; each call is stuck only if all of its needs are */
    size_t count;
};

/* Sets `stuck`. */
void deadlock_find(const struct world *world, struct standing *standings);
/* Ranks of which each waits for the next, from the lowest one that leads there; the last one waits
 * for the first, or has ended (*ends). Allocated; *count is 0 if nobody is stuck. */
int *deadlock_cycle(const struct world *world, const struct standing *standings, size_t *count,
                    bool *ends);

#endif
