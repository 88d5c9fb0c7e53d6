/* A receive that can take what another thread has probed and not yet received (MPI-4.0 section
 * 3.8.2). */
#ifndef REGATTA_RUNTIME_PROBE_RULE_H
#define REGATTA_RUNTIME_PROBE_RULE_H

#include "encounters.h"

struct call;

/* Before and after a call, with the rules' lock. */
void probe_check(struct hearing *hearing, const struct call *call);
void probe_over(struct encounter *now, const struct call *call);
/* Whether the status tells which message it is. */
bool probe_wants_status(const struct call *call);

#endif
