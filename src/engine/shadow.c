#include "shadow.h"
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "mutants.h"

enum { FIRST_ENTRIES = 64, STEPS = 1 << STEP_BITS };

void shadow_init(struct shadow *shadow, shadow_obsolete *obsolete, void *context)
{
    *shadow = (struct shadow){.version = 1, .obsolete = obsolete, .context = context};
    shadow_forget_cache(shadow);
}

/* ---- Pages ---- */

static void split(struct shadow *shadow, struct shadow_cells *cells)
{
    uint32_t *states = allocate(PAGE_CELLS * sizeof *states);
    for (int i = 0; i < PAGE_CELLS; i++)
        states[i] = cells->whole;
    cells->states = states;
    cells->index_mask = PAGE_CELLS - 1;
    shadow->split_pages++;
}

/* Makes one state of them if they are all equal. */
static void unite(struct shadow *shadow, struct shadow_cells *cells)
{
    for (int i = 1; i < PAGE_CELLS; i++)
        if (cells->states[i] != cells->states[0])
            return;
    cells->whole = cells->states[0];
    free(cells->states);
    cells->states = &cells->whole;
    cells->index_mask = 0;
    shadow->split_pages--;
}

static void delete_page(struct shadow *shadow, struct shadow_page *page)
{
    for (int kind = 0; kind < 2; kind++)
        if (shadow_is_split(page, kind)) {
            free(page->cells[kind].states);
            shadow->split_pages--;
        }
    HASH_DEL(shadow->pages, page);
    free(page);
}

void shadow_clear(struct shadow *shadow)
{
    struct shadow_page *page, *next;
    HASH_ITER(hh, shadow->pages, page, next)
    {
        delete_page(shadow, page);
    }
    free(shadow->entries);
    free(shadow->buckets);
    free(shadow->steps);
    free(shadow->scratch);
    *shadow = (struct shadow){0};
}

void shadow_forget_cache(struct shadow *shadow)
{
    for (unsigned i = 0; i < PAGE_CACHE; i++)
        shadow->cache[i].number = UINT64_MAX; /* no address has this page */
}

static void enter_cache(struct shadow *shadow, struct shadow_page *page)
{
    unsigned slot = shadow_slot(page->number);
    shadow->cache[slot].number = page->number;
    shadow->cache[slot].page = page;
}

struct shadow_page *shadow_look_up(struct shadow *shadow, uint64_t number)
{
    struct shadow_page *page;
    HASH_FIND(hh, shadow->pages, &number, sizeof number, page);
    if (page)
        enter_cache(shadow, page);
    return page;
}

struct shadow_page *shadow_make(struct shadow *shadow, uint64_t number)
{
    struct shadow_page *page = allocate_zeroed(1, sizeof *page);
    for (int kind = 0; kind < 2; kind++)
        page->cells[kind].states = &page->cells[kind].whole;
    page->number = number;
    HASH_ADD(hh, shadow->pages, number, sizeof number, page);
    enter_cache(shadow, page);
    if (!shadow->steps)
        shadow->steps = allocate_zeroed(STEPS, sizeof *shadow->steps);
    return page;
}

void shadow_drop(struct shadow *shadow, uint64_t low, uint64_t high)
{
    struct shadow_page *page, *next;
    HASH_ITER(hh, shadow->pages, page, next)
    {
        uint64_t start = page->number << PAGE_SHIFT;
        if (start >= low && start + PAGE_BYTES <= high)
            delete_page(shadow, page);
    }
    shadow_forget_cache(shadow);
}

/* ---- States ---- */

static uint32_t *bucket_of(const struct shadow *shadow, const struct shadow_entry *entry)
{
    uint64_t mixed = entry->word ^ (uint64_t)entry->next << 20;
    mixed = (mixed ^ entry->time * 0xff51afd7ed558ccd) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 29 ^ entry->who) * 0xc4ceb9fe1a85ec53;
    return &shadow->buckets[mixed >> 32 & (shadow->bucket_count - 1)];
}

static void link_entry(struct shadow *shadow, uint32_t state)
{
    uint32_t *bucket = bucket_of(shadow, &shadow->entries[state]);
    shadow->entries[state].chain = *bucket;
    *bucket = state;
}

static void grow_entries(struct shadow *shadow)
{
    uint32_t more = shadow->entry_capacity ? shadow->entry_capacity / 2 : FIRST_ENTRIES;
    shadow->entry_capacity += more;
    shadow->entries = reallocate(shadow->entries, shadow->entry_capacity * sizeof *shadow->entries);
    if (!shadow->entry_count)
        shadow->entries[shadow->entry_count++] = (struct shadow_entry){0}; /* state 0: nothing */
    if (shadow->bucket_count >= shadow->entry_capacity)
        return;
    shadow->bucket_count = shadow->bucket_count ? 2 * shadow->bucket_count : FIRST_ENTRIES;
    free(shadow->buckets);
    shadow->buckets = allocate_zeroed(shadow->bucket_count, sizeof *shadow->buckets);
    for (uint32_t i = 1; i < shadow->entry_count; i++)
        link_entry(shadow, i);
}

static uint32_t find_state(const struct shadow *shadow, const struct shadow_entry *entry)
{
    for (uint32_t state = *bucket_of(shadow, entry); state; state = shadow->entries[state].chain) {
        const struct shadow_entry *known = &shadow->entries[state];
        if (known->word == entry->word && known->time == entry->time && known->who == entry->who &&
            known->next == entry->next)
            return state;
    }
    return 0;
}

/* The state that consists of this entry and those of entry->next. A state's number is higher than
 * that of its rest. */
static uint32_t state_of(struct shadow *shadow, const struct shadow_entry *entry)
{
    uint32_t state = shadow->entry_count ? find_state(shadow, entry) : 0;
    if (state)
        return state;
    if (shadow->entry_count == shadow->entry_capacity)
        grow_entries(shadow);
    state = shadow->entry_count++;
    shadow->entries[state] = *entry;
    link_entry(shadow, state);
    return state;
}

/* ---- Steps ---- */

#define WORD_MASK ((uint64_t)0xff << ENTRY_MASK_SHIFT)

static bool same_key(const struct shadow_entry *a, const struct shadow_entry *b)
{
    return ((a->word ^ b->word) & ~WORD_MASK) == 0 && a->who == b->who;
}

/* The order in a state: newest first, and never two of one time and key. */
static bool precedes(const struct shadow_entry *a, const struct shadow_entry *b)
{
    if (a->time != b->time)
        return a->time > b->time;
    uint64_t x = a->word & ~WORD_MASK, y = b->word & ~WORD_MASK;
    return x != y ? x < y : a->who < b->who;
}

/* Takes the access's bytes from older entries of the same key, adds them to one of the same time, drops
 * what is left of nothing or can race with nobody. */
static uint32_t state_after(struct shadow *shadow, uint32_t before,
                            const struct shadow_entry *access)
{
    struct shadow_entry added = *access;
    size_t count = 0;
    for (uint32_t state = before; state; state = shadow->entries[state].next) {
        struct shadow_entry entry = shadow->entries[state];
        entry.chain = state; /* in the scratch: where it stands unchanged */
        bool same = same_key(&entry, access);
        if (same && entry.time == access->time) {
            added.word |= entry.word & WORD_MASK;
            continue;
        }
        if ((same || (MUTANT(forget_shadow_sites) && entry.who == access->who)) &&
            entry.word & access->word & WORD_MASK) {
            entry.word &= ~(access->word & WORD_MASK);
            entry.chain = 0;
        }
        if (!entry_mask(&entry) || shadow->obsolete(shadow->context, &entry))
            continue;
        grow_array(shadow->scratch, count, shadow->scratch_capacity);
        shadow->scratch[count++] = entry;
    }
    grow_array(shadow->scratch, count, shadow->scratch_capacity);
    size_t at = count++;
    for (; at > 0 && precedes(&added, &shadow->scratch[at - 1]); at--)
        shadow->scratch[at] = shadow->scratch[at - 1];
    added.chain = 0;
    shadow->scratch[at] = added;

    uint32_t state = 0;
    for (size_t i = count; i-- > 0;) {
        struct shadow_entry *entry = &shadow->scratch[i];
        if (entry->chain && shadow->entries[entry->chain].next == state) {
            state = entry->chain;
            continue;
        }
        entry->next = state;
        state = state_of(shadow, entry);
    }
    return state;
}

static uint32_t step(struct shadow *shadow, uint32_t before, const struct shadow_entry *access)
{
    unsigned mask = entry_mask(access);
    uint64_t key = step_access(access->word & (SITE_LIMIT - 1), (unsigned)__builtin_ctz(mask),
                               (unsigned)__builtin_popcount(mask), access->word & ENTRY_STORE);
    struct shadow_step *known = shadow_step_for(shadow, before, key);
    if (known->before == before && known->access == key && known->time == access->time &&
        known->who == access->who)
        return known->after;
    struct shadow_step fresh = {key, access->time, access->who, before,
                                state_after(shadow, before, access)};
    *known = fresh;
    fresh.before = fresh.after; /* and the same access again changes nothing */
    *shadow_step_for(shadow, fresh.after, key) = fresh;
    return fresh.after;
}

/* ---- Sweeping ---- */

/* Where each state goes, in an array by state: what no granule is in goes nowhere, and so do entries
 * that can race with nobody any more. States move down in place, lowest first, so that the rest of a
 * state is always settled before it. */
static uint32_t *compact_states(struct shadow *shadow)
{
    uint32_t *moved = allocate_zeroed(shadow->entry_count, sizeof *moved);
    struct shadow_page *page, *next;
    HASH_ITER(hh, shadow->pages, page, next)
    {
        for (int kind = 0; kind < 2; kind++)
            for (uint64_t i = 0; i <= page->cells[kind].index_mask; i++)
                moved[page->cells[kind].states[i]] = 1;
    }
    for (uint32_t state = shadow->entry_count; state-- > 1;)
        if (moved[state])
            moved[shadow->entries[state].next] = 1;
    moved[0] = 0;

    uint32_t end = shadow->entry_count;
    shadow->entry_count = 1;
    memset(shadow->buckets, 0, shadow->bucket_count * sizeof *shadow->buckets);
    for (uint32_t state = 1; state < end; state++) {
        struct shadow_entry entry = shadow->entries[state];
        if (!moved[state])
            continue;
        entry.next = MUTANT(sweep_keeps_newest) ? 0 : moved[entry.next];
        moved[state] =
            shadow->obsolete(shadow->context, &entry) ? entry.next : state_of(shadow, &entry);
    }
    return moved;
}

/* Costs a few nanoseconds per granule and is due when that many sets have come up that it does not
 * matter: finding a new set costs more than ten times that. */
static void sweep(struct shadow *shadow)
{
    uint32_t *moved = compact_states(shadow);
    struct shadow_page *page, *next;
    HASH_ITER(hh, shadow->pages, page, next)
    {
        for (int kind = 0; kind < 2; kind++) {
            struct shadow_cells *cells = &page->cells[kind];
            for (uint64_t i = 0; i <= cells->index_mask; i++)
                cells->states[i] = moved[cells->states[i]];
            if (cells->index_mask)
                unite(shadow, cells);
        }
    }
    free(moved);
    memset(shadow->steps, 0, STEPS * sizeof *shadow->steps);
}

static void sweep_if_due(struct shadow *shadow)
{
    enum { GRANULES_PER_SET = 16 };
    if (shadow->entry_count < SWEEP_AT || shadow->entry_count < shadow->sweep_at)
        return;
    sweep(shadow);
    uint64_t room = shadow->split_pages * PAGE_CELLS / GRANULES_PER_SET;
    uint64_t at = (uint64_t)shadow->entry_count * 3 / 2 + (room > SWEEP_AT ? room : SWEEP_AT);
    shadow->sweep_at = at < UINT32_MAX / 2 ? (uint32_t)at : UINT32_MAX / 2;
}

/* ---- Noting ---- */

static void note_granule(struct shadow *shadow, struct shadow_cells *cells, uint64_t granule,
                         uint8_t mask, const struct shadow_entry *access)
{
    struct shadow_entry masked = *access;
    masked.word |= (uint64_t)mask << ENTRY_MASK_SHIFT;
    uint32_t *state = &cells->states[granule >> 3 & cells->index_mask];
    *state = step(shadow, *state, &masked);
}

enum { BLOCK = 8 };

/* Whether a block of granules is in this state, without a branch for each of them. */
static inline bool block_is(const uint32_t *states, uint32_t state)
{
    uint32_t differs = 0;
    for (int i = 0; i < BLOCK; i++)
        differs |= states[i] ^ state;
    return !differs;
}

/* Whole granules [first, end), by index in the page. */
static void note_granules(struct shadow *shadow, struct shadow_cells *cells, uint64_t first,
                          uint64_t end, const struct shadow_entry *access)
{
    struct shadow_entry masked = *access;
    masked.word |= WORD_MASK;
    uint32_t *states = cells->states;
    uint32_t before = states[first], after = step(shadow, before, &masked);
    for (uint64_t i = first; i < end;) {
        for (; i + BLOCK <= end && block_is(&states[i], before); i += BLOCK)
            for (int k = 0; k < BLOCK; k++)
                states[i + k] = after;
        for (; i < end && states[i] == before; i++)
            states[i] = after;
        if (i < end) {
            before = states[i];
            after = step(shadow, before, &masked);
        }
    }
}

void shadow_note(struct shadow *shadow, struct shadow_page *page, uint64_t low, uint64_t high,
                 const struct shadow_entry *access)
{
    struct shadow_cells *cells = &page->cells[(access->word & ENTRY_STORE) != 0];
    sweep_if_due(shadow);
    if (high - low == PAGE_BYTES || (MUTANT(pages_stay_whole) && !cells->index_mask)) {
        note_granules(shadow, cells, 0, cells->index_mask + 1, access);
        if (cells->index_mask)
            unite(shadow, cells);
        return;
    }
    uint64_t first = low & ~(uint64_t)7, last = (high - 1) & ~(uint64_t)7;
    uint8_t mask = granule_mask(first, low, high);
    if (!cells->index_mask) {
        struct shadow_entry most = *access;
        most.word |= first == last ? (uint64_t)mask << ENTRY_MASK_SHIFT : WORD_MASK;
        if (step(shadow, cells->whole, &most) == cells->whole)
            return;
        split(shadow, cells);
    }
    if (mask != 0xff || first == last) {
        note_granule(shadow, cells, first, mask, access);
        first += 8;
    }
    if (first > last)
        return;
    mask = granule_mask(last, low, high);
    if (mask != 0xff)
        note_granule(shadow, cells, last, mask, access);
    else
        last += 8;
    if (first < last)
        note_granules(shadow, cells, first >> 3 & (PAGE_CELLS - 1),
                      (first >> 3 & (PAGE_CELLS - 1)) + ((last - first) >> 3), access);
}

size_t shadow_bytes(const struct shadow *shadow)
{
    size_t bytes = HASH_COUNT(shadow->pages) * sizeof(struct shadow_page) +
                   shadow->split_pages * PAGE_CELLS * sizeof(uint32_t) +
                   shadow->entry_capacity * sizeof *shadow->entries +
                   shadow->bucket_count * sizeof *shadow->buckets +
                   shadow->scratch_capacity * sizeof *shadow->scratch;
    if (shadow->steps)
        bytes += STEPS * sizeof *shadow->steps;
    if (shadow->pages)
        bytes += shadow->pages->hh.tbl->num_buckets * sizeof(UT_hash_bucket);
    return bytes;
}
