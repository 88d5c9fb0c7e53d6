/* The buffers of a nonblocking or persistent collective: what it brings arrives in memory of the
 * layer and reaches the program's buffer at completion, not before; what it sends is looked at
 * again when it is complete. */
#ifndef REGATTA_STRESS_ASIDE_H
#define REGATTA_STRESS_ASIDE_H

#include "held_call.h"

struct aside;
struct site;

/* At the start of the call, whose buffers it may replace. NULL if nothing can be done: the call
 * goes to MPI as it is. */
struct aside *aside_make(struct call *call);
/* The operation starts: the program's buffer is hidden. */
void aside_hide(struct aside *aside);
/* The operation is complete. */
void aside_deliver(struct aside *aside, struct site *site, const struct routine *routine);
/* It was never started. */
void aside_undo(struct aside *aside);
void aside_free(struct aside *aside);

#endif
