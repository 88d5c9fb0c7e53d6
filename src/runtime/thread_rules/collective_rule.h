/* Two threads in collective calls on one communicator, window or file (MPI-4.0 sections 6.14 and
 * 11.6.2): three kinds of objects, even if one was made from the other. */
#ifndef REGATTA_RUNTIME_COLLECTIVE_RULE_H
#define REGATTA_RUNTIME_COLLECTIVE_RULE_H

#include "encounters.h"

struct call;

/* Before and after a call, with the rules' lock. */
void collective_check(struct hearing *hearing, const struct call *call);
void collective_over(const struct call *call);

#endif
