/* Whose call it is. Threads and locks that MPI, an OpenMP runtime or this library use for
 * themselves order nothing that the program may rely on: they are not the program's. */
#ifndef REGATTA_RUNTIME_OWN_CALLS_H
#define REGATTA_RUNTIME_OWN_CALLS_H

#include <stdbool.h>

/* Whether the code at this address, which has called a function for threads, is of the program or
 * of a library that works for it: not of this library, MPI's, or an OpenMP runtime, and not inside
 * an MPI call of this thread. */
bool call_is_programs(const void *caller);

/* Looks which of these libraries are loaded now. */
void own_calls_renew(void);

#endif
