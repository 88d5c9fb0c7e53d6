/* Memory of MPI_Alloc_mem, and how much of it MPI_Free_mem gives back; memory that leaves a dynamic
 * window. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_ALLOCATIONS_H
#define REGATTA_RUNTIME_ALLOCATIONS_H

#include "engine/event.h"

struct call;

/* The program got memory. */
void allocation_made(const struct call *call);
/* It is about to give it back: as good as a store to all of it. */
void allocation_given_back(const struct call *call);
/* The memory is about to be detached. Who accesses it through the window must be done with it: as
 * good as a store. Through another window that shows it, too, it may go on. */
void allocation_detached(const struct call *call, window_t window);

#endif
