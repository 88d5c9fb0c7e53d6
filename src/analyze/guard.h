/* LLVM does not survive every damaged file, and an analyser can have bugs of its own. So the work
 * is done in a second process; if that is killed, what it was busy with is left out, and another
 * one starts over. */
#ifndef REGATTA_ANALYZE_GUARD_H
#define REGATTA_ANALYZE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Returns in the working process, once for each attempt. The process that was called stays behind,
 * waits, and ends with the exit code of the last attempt, after `cleanup` if that was killed, too.
 * Without a second process (no memory, no processes left) the work goes on unguarded. */
void guard_start(void (*cleanup)(void *context), void *context);

/* What the working process is busy with, by name; NULL: nothing. */
void guard_busy(const char *name);
/* Whether an earlier attempt was killed while busy with this. */
bool guard_was_fatal(const char *name);
void guard_end(void);

#endif
