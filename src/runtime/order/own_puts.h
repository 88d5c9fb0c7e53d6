/* Which memory of others this process may have put to, by address there: bounds that only ever
 * grow. Of the process's own memory nothing is known, and of others' only where it cannot store by
 * itself (MPI_Win_shared_query). Needs the session's lock. */
#ifndef REGATTA_RUNTIME_OWN_PUTS_H
#define REGATTA_RUNTIME_OWN_PUTS_H

#include <stdbool.h>

#include "engine/event.h"

/* A put, to these bytes from `base` on. */
void own_puts_note(uint32_t target, uint64_t base, const struct section *sections, size_t count);
/* One that may have gone anywhere. */
void own_puts_lose(void);
/* Whether it is certain that no put went there. */
bool own_puts_spared(uint32_t target, uint64_t low, uint64_t high);

#endif
