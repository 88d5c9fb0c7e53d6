/* Memory that changes hands: a block of the heap that one thread frees and another one gets, a
 * mapping that goes and another one that comes in its place. What was done there by its old owners
 * is no business of the next one's, whoever gave it back: also libraries that have no checks, and
 * MPI itself. The functions that give memory back stand in front of the C library's.
 *
 * While one actor is at work each of them costs a load and a test. With several it costs a look at
 * which pages anything is remembered of; the session's lock only if there is something to forget.
 */
#ifndef REGATTA_RUNTIME_RENEWALS_H
#define REGATTA_RUNTIME_RENEWALS_H

#include <stdint.h>

/* Something is remembered of these bytes that another actor's access may be compared with later.
 * Needs the session's lock. */
void renewals_mark(uint64_t low, uint64_t high);
/* Nothing is remembered any more. Needs the session's lock. */
void renewals_clear(void);

/* The memory is somebody else's from now on: all of that is forgotten. Needs the session's lock. */
void memory_renewed(uint64_t low, uint64_t high);
/* Told of the block that a compiled-in check has seen, and that the function itself will be told of
 * next, by the same thread: it is done. */
void renewal_is_done(uint64_t low);

#endif
