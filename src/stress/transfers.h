/* Nonblocking sends, receives and collectives under way: received data reaches the program's buffer
 * at completion, not before, and send buffers are looked at again when the send is complete. */
#ifndef REGATTA_STRESS_TRANSFERS_H
#define REGATTA_STRESS_TRANSFERS_H

#include "held_call.h"

/* Point-to-point calls that start or make something. May replace the call. */
void transfer_start(struct call *call);
/* … and after MPI has started it, if it was not replaced. */
void transfer_started(struct call *call, int result);

/* MPI_Start and MPI_Startall, before the call. */
void transfers_activate(struct call *call);

/* Calls that complete, test, peek at, free requests: before (may replace the call) and after. */
void transfers_before(struct call *call);
void transfers_after(struct call *call, int result);
/* Whether the call needs a status though the program ignores it. */
bool transfers_want_status(const struct call *call);

/* Whether something under way will write there. */
bool transfers_write_to(uint64_t low, uint64_t high);

/* Receives whose requests were freed: delivers what has arrived. */
void transfers_poll(void);
/* The same before MPI_Finalize, the last chance. */
void transfers_finish(void);

#endif
