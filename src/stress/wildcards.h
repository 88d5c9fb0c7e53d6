/* Choices that MPI leaves open when messages are matched. */
#ifndef REGATTA_STRESS_WILDCARDS_H
#define REGATTA_STRESS_WILDCARDS_H

#include "held_call.h"

/* A blocking receive: may replace it by one that takes another message. */
void wildcard_receive(struct call *call);
/* A probe: may answer itself that there is nothing yet. */
void wildcard_probe(struct call *call);
/* A receive of whatever kind is called. */
void wildcard_receive_started(void);
void wildcard_probed(const struct call *call);

#endif
