/* This rank's own loads and stores to its own window memory.
 *
 * Of each granule of 8 bytes, the loads and the stores are remembered, each as a set of entries:
 * who accessed which of its bytes, when, from which site. Of one thread, site, kind and set of
 * locks only the latest access to a byte is kept: an operation that did not know of an earlier one
 * does not know of that one either. Programs treat granules alike, so few different sets occur,
 * however many granules there are. Each set is stored once and has a number, its state; a granule
 * has two of these, 4 bytes each, and a block whose granules are all alike has only one pair.
 *
 *   page (4 KiB of memory) -> 8 blocks -> 64 states, or one for all -> entry -> entry -> …
 *
 * A set is a list, newest entry first; lists share their tails (state 7 may be an entry before
 * state 3). What an access makes of a state depends on nothing else, and is remembered too, as a
 * step. So a range costs a comparison per block, or per granule where they differ, and a single
 * access mostly a look at one step. (Blocks, because the rows of a grid end somewhere in most of
 * its pages.)
 *
 * Sets that no granule is in any more are swept out now and then. */
#ifndef REGATTA_ENGINE_SHADOW_H
#define REGATTA_ENGINE_SHADOW_H

#include "clock.h"
#include "event.h"
#include "table.h"

/* Tests shrink these, so that small programs get to pages, sweeps and forgotten steps. */
#ifndef SHADOW_PAGE_SHIFT
#define SHADOW_PAGE_SHIFT 12
#define SHADOW_BLOCK_SHIFT 9
#define SHADOW_SWEEP_AT 4096
#define SHADOW_STEP_BITS 8
#endif

enum {
    PAGE_SHIFT = SHADOW_PAGE_SHIFT,
    BLOCK_SHIFT = SHADOW_BLOCK_SHIFT,
    PAGE_BLOCKS = 1 << (PAGE_SHIFT - BLOCK_SHIFT),
    BLOCK_CELLS = 1 << (BLOCK_SHIFT - 3),
    SHELF_PAGES = 512,
    PAGE_CACHE = 64,
    SWEEP_AT = SHADOW_SWEEP_AT, /* entries: fewer are not worth it */
    STEP_BITS = SHADOW_STEP_BITS
};
#define PAGE_BYTES ((uint64_t)1 << PAGE_SHIFT)
#define BLOCK_BYTES ((uint64_t)1 << BLOCK_SHIFT)

#define ENTRY_MASK_SHIFT 48
#define ENTRY_STORE ((uint64_t)1 << 56)
#define ENTRY_ATOMIC ((uint64_t)1 << 57)
#define STEP_ATOMIC ((uint64_t)1 << 55)
#define STEP_LENGTH_SHIFT 51

/* Bits of `word`: 48 site, 8 byte mask, store, atomic (of the language). */
struct shadow_entry {
    uint64_t word;
    time_point time;
    uint32_t who;   /* thread << 16 | lockset */
    uint32_t next;  /* the state without this entry; 0: nothing else */
    uint32_t chain; /* another entry of the same hash */
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

/* The states of a block, for one kind of access. */
struct shadow_cells {
    uint32_t *states;
    uint32_t index_mask; /* BLOCK_CELLS - 1, or 0: `states` is `whole`, the state of all granules */
    uint32_t whole;
};

struct shadow_page {
    time_point noted[2]; /* when thread 0 was last here with a load, with a store */
    uint64_t quiet_at;   /* the version of the shadow at which a step was all that an access of
                          * thread 0 needed; 0: never */
    uint64_t clear_at;   /* the version at which no operation touched this page */
    bool threads;        /* others than thread 0 have been here too */
    uint64_t number;     /* address >> PAGE_SHIFT */
    struct shadow_cells cells[2][PAGE_BLOCKS]; /* loads, stores */
};

/* Neighbouring pages. A hash of the pages themselves would be a chain of cache misses for a page
 * that has not been used for a while. */
struct shadow_shelf {
    uint64_t number; /* that of a page / SHELF_PAGES */
    size_t count;
    struct shadow_page *pages[SHELF_PAGES];
    UT_hash_handle hh;
};

/* An access to bytes of one granule turns one state into another. */
struct shadow_step {
    uint64_t access; /* bits: 48 site, 3 first byte, 4 length, atomic, store */
    time_point time;
    uint32_t who, before, after;
};

/* Whether nobody can race with an entry any more. Once true it stays true. */
typedef bool shadow_obsolete(void *context, const struct shadow_entry *entry);

struct shadow {
    struct shadow_shelf *shelves; /* hash by number */
    struct shadow_shelf *recent;  /* the last one looked at, or NULL */
    size_t page_count;
    struct {
        uint64_t number;
        struct shadow_page *page;
    } cache[PAGE_CACHE];
    uint64_t version; /* changes with what makes a page's `quiet_at` and `clear_at` void */

    struct shadow_entry *entries; /* by state; the first is unused */
    uint32_t *buckets;            /* a power of two */
    time_point last_store;        /* of thread 0, anywhere */
    uint32_t entry_count, entry_capacity, bucket_count;
    uint32_t sweep_at;         /* that many entries */
    size_t split_blocks;       /* arrays of states */
    struct shadow_step *steps; /* made with the first page */

    struct shadow_entry *scratch;
    size_t scratch_capacity;
    shadow_obsolete *obsolete;
    void *context;
};

void shadow_init(struct shadow *shadow, shadow_obsolete *obsolete, void *context);
void shadow_clear(struct shadow *shadow);

struct shadow_page *shadow_look_up(struct shadow *shadow, uint64_t number);
struct shadow_page *shadow_make(struct shadow *shadow, uint64_t number);

/* What a page or its absence in the cache says is no longer true (windows came or went). */
void shadow_forget_cache(struct shadow *shadow);

/* Drops all pages that lie in [low, high) as a whole. */
void shadow_drop(struct shadow *shadow, uint64_t low, uint64_t high);

/* Forgets what was noted for the granules that lie in [low, high) as a whole. */
void shadow_erase(struct shadow *shadow, uint64_t low, uint64_t high);

/* Arrays are often a power of two apart, and used together. */
static inline unsigned shadow_slot(uint64_t number)
{
    return (number ^ number >> 6) % PAGE_CACHE;
}

static inline struct shadow_page *shadow_find(struct shadow *shadow, uint64_t address)
{
    uint64_t number = address >> PAGE_SHIFT;
    unsigned slot = shadow_slot(number);
    if (shadow->cache[slot].number == number)
        return shadow->cache[slot].page;
    return shadow_look_up(shadow, number);
}

static inline const struct shadow_cells *shadow_cells_at(const struct shadow_page *page, bool store,
                                                         uint64_t address)
{
    return &page->cells[store][address >> BLOCK_SHIFT & (PAGE_BLOCKS - 1)];
}

static inline uint32_t *shadow_state_at(const struct shadow_page *page, bool store,
                                        uint64_t address)
{
    const struct shadow_cells *cells = shadow_cells_at(page, store, address);
    return &cells->states[address >> 3 & cells->index_mask];
}

static inline bool shadow_is_split(const struct shadow_page *page, bool store, uint64_t address)
{
    return shadow_cells_at(page, store, address)->index_mask != 0;
}

static inline uint64_t step_access(site_t site, uint64_t first_byte, uint64_t length, bool store)
{
    return site | (length << 3 | first_byte) << (STEP_LENGTH_SHIFT - 3) | (store ? ENTRY_STORE : 0);
}

static inline struct shadow_step *shadow_step_for(const struct shadow *shadow, uint32_t before,
                                                  uint64_t access)
{
    uint64_t both = access + ((uint64_t)before << 32);
    return &shadow->steps[both * 0x9e3779b97f4a7c15 >> (64 - STEP_BITS)];
}

/* The bytes of the granule that are in [low, high). */
static inline uint8_t granule_mask(uint64_t granule, uint64_t low, uint64_t high)
{
    unsigned mask = 0xff;
    if (granule < low)
        mask &= 0xffu << (low - granule);
    if (high - granule < 8)
        mask &= 0xffu >> (8 - (high - granule));
    return (uint8_t)mask;
}

/* Notes an access to [low, high), which is inside the page: `access` has its site and kind, no
 * mask. */
void shadow_note(struct shadow *shadow, struct shadow_page *page, uint64_t low, uint64_t high,
                 const struct shadow_entry *access);

/* Memory now. */
size_t shadow_bytes(const struct shadow *shadow);

#endif
