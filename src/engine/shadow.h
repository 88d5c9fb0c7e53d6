/* This rank's own loads and stores to its own window memory.
 *
 * Each 8-byte granule has a cell with the latest load and the latest store, a byte mask each, and a
 * chain of further entries where bytes or sites differ. Of one thread, site, kind and set of locks
 * only the latest access to a byte is kept: an operation that did not know of an earlier one does
 * not know of that one either. Cells are 48 bytes for 8, in pages that come into being with the
 * first access.
 *
 *   page (4 KiB of memory) -> 512 cells -> { load, store } -> further entries */
#ifndef REGATTA_ENGINE_SHADOW_H
#define REGATTA_ENGINE_SHADOW_H

#include <uthash.h>
#include "clock.h"
#include "event.h"

enum { PAGE_SHIFT = 12, PAGE_CELLS = 512, PAGE_CACHE = 64 };

#define ENTRY_MASK_SHIFT 48
#define ENTRY_USED ((uint64_t)1 << 56)
#define ENTRY_STORE ((uint64_t)1 << 57)

/* Bits of `word`: 48 site, 8 byte mask, used, store. All zero is an unused entry. */
struct shadow_entry {
    uint64_t word;
    time_point time;
    uint32_t who;  /* thread << 16 | lockset */
    uint32_t next; /* index of a further entry of this kind, 0: none */
};

static inline uint8_t entry_mask(const struct shadow_entry *entry)
{
    return (uint8_t)(entry->word >> ENTRY_MASK_SHIFT);
}

static inline uint32_t entry_thread(const struct shadow_entry *entry)
{
    return entry->who >> 16;
}

static inline uint32_t entry_lockset(const struct shadow_entry *entry)
{
    return entry->who & 0xffff;
}

struct shadow_cell {
    struct shadow_entry latest[2]; /* load, store */
};

struct shadow_page {
    uint64_t number;   /* address >> PAGE_SHIFT */
    time_point newest; /* of the accesses of thread 0 */
    bool threads;      /* others have been here too */
    uint64_t clear_at; /* the version of the history in which nothing touched this page; 0: none */
    UT_hash_handle hh;
    struct shadow_cell cells[PAGE_CELLS];
};

struct shadow {
    struct shadow_page *pages; /* hash by number */
    struct {
        uint64_t number;
        struct shadow_page *page; /* NULL: no page there */
    } cache[PAGE_CACHE];
    struct shadow_entry *further;
    uint32_t further_count, further_capacity, further_free;
};

void shadow_init(struct shadow *shadow);
void shadow_clear(struct shadow *shadow);

struct shadow_page *shadow_look_up(struct shadow *shadow, uint64_t number);
struct shadow_page *shadow_make(struct shadow *shadow, uint64_t number);

/* What a page or its absence in the cache says is no longer true (windows came or went). */
void shadow_forget_cache(struct shadow *shadow);

/* Drops all pages that lie in [low, high) as a whole. */
void shadow_drop(struct shadow *shadow, uint64_t low, uint64_t high);

static inline struct shadow_page *shadow_find(struct shadow *shadow, uint64_t address)
{
    uint64_t number = address >> PAGE_SHIFT;
    unsigned slot = number % PAGE_CACHE;
    if (shadow->cache[slot].number == number)
        return shadow->cache[slot].page;
    return shadow_look_up(shadow, number);
}

static inline struct shadow_cell *shadow_cell_of(struct shadow_page *page, uint64_t address)
{
    return &page->cells[address >> 3 & (PAGE_CELLS - 1)];
}

static inline struct shadow_entry *shadow_next(struct shadow *shadow,
                                               const struct shadow_entry *entry)
{
    return entry->next ? &shadow->further[entry->next] : NULL;
}

/* Notes an access. Entries for which `obsolete` holds are dropped on the way. */
typedef bool shadow_obsolete(void *context, const struct shadow_entry *entry);
void shadow_note(struct shadow *shadow, struct shadow_page *page, struct shadow_cell *cell,
                 uint8_t mask, bool store, site_t site, uint32_t who, time_point time,
                 shadow_obsolete *obsolete, void *context);

size_t shadow_bytes(const struct shadow *shadow);

#endif
