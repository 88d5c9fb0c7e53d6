/* Places of the runtime that allocate, for tests (tests/faults): which there are, and the one that
 * is to fail. A place is known by the three innermost calls inside this library, so that a helper
 * that allocates for many is as many places. Costs a walk of the stack per allocation, but only if
 * a test asks for it. */
#ifndef REGATTA_INTERPOSE_HEAP_SITES_H
#define REGATTA_INTERPOSE_HEAP_SITES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern atomic_bool heap_sites_watched;

/* From now on places are noted; the first allocation of place `failing` fails (0: of none). */
void heap_sites_watch(uint32_t failing);
/* Notes the place of an allocation; whether it is to fail. */
bool heap_site_fails(void);
/* Calls `tell` with each place, how its calls lie in the library, and whether it has failed. */
void heap_sites_each(void (*tell)(uint32_t site, const uint32_t calls[3], bool has_failed));

#endif
