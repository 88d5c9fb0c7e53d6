/* Which pages of the program's memory hold something of interest to compiled-in checks: the table
 * of access/hooks.h.
 *
 * Flags err on the safe side. They are set when bytes come into use, and cleared not when these are
 * free again but by the first access that finds the page empty (accesses.c): so a buffer that is
 * sent from again and again costs nothing but a look at its flag, and memory that is no longer in
 * use is dismissed after one access. Written with the session's lock held; read by all threads
 * without. */
#ifndef REGATTA_RUNTIME_PAGES_H
#define REGATTA_RUNTIME_PAGES_H

#include <stdbool.h>

#include "access/hooks.h"
#include "engine/section.h"

/* How far behind its end a page's flags reach (ACCESS_GROUP). */
enum { PAGES_AHEAD = ACCESS_GROUP - 1 };

/* NULL while no module with compiled-in checks is loaded. */
extern unsigned char *pages;

/* Reserves the table. Address space only; memory is taken page by page when flags are set. */
bool pages_reserve(void);

void pages_mark_range(uint64_t low, uint64_t high, enum access_flag flag);

static inline void pages_mark(const struct section *sections, size_t n, enum access_flag flag)
{
    if (pages)
        for (size_t i = 0; i < n; i++)
            pages_mark_range(sections[i].start, section_end(&sections[i]), flag);
}

/* The flags of all pages that these bytes lie in. */
static inline unsigned pages_flags(const void *address, size_t bytes)
{
    unsigned flags = 0;
    uint64_t last = access_page((const char *)address + bytes - 1);
    for (uint64_t page = access_page(address); page <= last; page++)
        flags |= __atomic_load_n(&pages[page], __ATOMIC_RELAXED);
    return flags;
}

void pages_clear_range(uint64_t low, uint64_t high, enum access_flag flag);
/* The flag is taken off the page that contains the address. */
void pages_clear(uint64_t address, enum access_flag flag);
/* All flags of all pages. */
void pages_clear_all(void);

#endif
