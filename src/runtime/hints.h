/* What the program itself says by include/regatta.h: memory whose races are known, and order that
 * cannot be seen. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_HINTS_H
#define REGATTA_RUNTIME_HINTS_H

#include <stdbool.h>
#include <stdint.h>

extern unsigned hints_ignored; /* ranges; nearly always 0 */

bool hints_cover(uint64_t start, uint64_t bytes);

/* Whether races on these bytes of this process are not to be told: they are all ignored. */
static inline bool hint_ignores(uint64_t start, uint64_t bytes)
{
    return hints_ignored && hints_cover(start, bytes);
}

#endif
