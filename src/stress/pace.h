/* Pace: processes that run at different speed, so that what is not ordered happens in another
 * order. */
#ifndef REGATTA_STRESS_PACE_H
#define REGATTA_STRESS_PACE_H

#include "held_call.h"

/* An RMA operation is about to be made. */
void pace_before_operation(void);
/* The call is over: keep the process back for a while, if it is its turn. */
void pace_after(const struct call *call);

#endif
