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

/* ---- Blocks ---- */

static void split(struct shadow *shadow, struct shadow_cells *cells)
{
    uint32_t *states = allocate(BLOCK_CELLS * sizeof *states);
    for (int i = 0; i < BLOCK_CELLS; i++)
        states[i] = cells->whole;
    cells->states = states;
    cells->index_mask = BLOCK_CELLS - 1;
    shadow->split_blocks++;
}

/* Makes one state of them if they are all equal. */
static void unite(struct shadow *shadow, struct shadow_cells *cells)
{
    for (int i = 1; i < BLOCK_CELLS; i++)
        if (cells->states[i] != cells->states[0])
            return;
    cells->whole = cells->states[0];
    free(cells->states);
    cells->states = &cells->whole;
    cells->index_mask = 0;
    shadow->split_blocks--;
}

static void visit_cells(struct shadow_page *page,
                        void (*visit)(void *context, struct shadow_cells *cells), void *context)
{
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < PAGE_BLOCKS; i++)
            visit(context, &page->cells[kind][i]);
}

/* ---- Pages ---- */

static void visit_pages(struct shadow *shadow,
                        void (*visit)(void *context, struct shadow_cells *cells), void *context)
{
    struct shadow_shelf *shelf, *next;
    HASH_ITER(hh, shadow->shelves, shelf, next)
    {
        for (int i = 0; i < SHELF_PAGES; i++)
            if (shelf->pages[i])
                visit_cells(shelf->pages[i], visit, context);
    }
}

static void free_states(void *shadow, struct shadow_cells *cells)
{
    if (!cells->index_mask)
        return;
    free(cells->states);
    ((struct shadow *)shadow)->split_blocks--;
}

static void delete_page(struct shadow *shadow, struct shadow_page *page)
{
    visit_cells(page, free_states, shadow);
    free(page);
    shadow->page_count--;
}

/* Those of which all bytes are from low to last. */
static void drop_from_shelf(struct shadow *shadow, struct shadow_shelf *shelf, uint64_t low,
                            uint64_t last)
{
    for (int i = 0; i < SHELF_PAGES; i++) {
        struct shadow_page *page = shelf->pages[i];
        uint64_t start = page ? page->number << PAGE_SHIFT : 0;
        if (!page || start < low || start + (PAGE_BYTES - 1) > last)
            continue;
        shelf->pages[i] = NULL;
        shelf->count--;
        delete_page(shadow, page);
    }
    if (shelf->count)
        return;
    HASH_DEL(shadow->shelves, shelf);
    free(shelf);
}

static void drop(struct shadow *shadow, uint64_t low, uint64_t last)
{
    struct shadow_shelf *shelf, *next;
    HASH_ITER(hh, shadow->shelves, shelf, next)
    {
        drop_from_shelf(shadow, shelf, low, last);
    }
    shadow->recent = NULL;
    shadow_forget_cache(shadow);
}

void shadow_drop(struct shadow *shadow, uint64_t low, uint64_t high)
{
    if (low < high)
        drop(shadow, low, high - 1);
}

void shadow_clear(struct shadow *shadow)
{
    drop(shadow, 0, UINT64_MAX);
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

static struct shadow_shelf *find_shelf(struct shadow *shadow, uint64_t number)
{
    struct shadow_shelf *shelf = shadow->recent;
    if (shelf && shelf->number == number)
        return shelf;
    HASH_FIND(hh, shadow->shelves, &number, sizeof number, shelf);
    if (shelf)
        shadow->recent = shelf;
    return shelf;
}

struct shadow_page *shadow_look_up(struct shadow *shadow, uint64_t number)
{
    struct shadow_shelf *shelf = find_shelf(shadow, number / SHELF_PAGES);
    struct shadow_page *page = shelf ? shelf->pages[number % SHELF_PAGES] : NULL;
    if (page)
        enter_cache(shadow, page);
    return page;
}

static struct shadow_shelf *make_shelf(struct shadow *shadow, uint64_t number)
{
    struct shadow_shelf *shelf = allocate_zeroed(1, sizeof *shelf);
    shelf->number = number;
    HASH_ADD(hh, shadow->shelves, number, sizeof number, shelf);
    return shelf;
}

struct shadow_page *shadow_make(struct shadow *shadow, uint64_t number)
{
    struct shadow_page *page = allocate_zeroed(1, sizeof *page);
    struct shadow_shelf *shelf = find_shelf(shadow, number / SHELF_PAGES);
    if (!shelf)
        shelf = make_shelf(shadow, number / SHELF_PAGES);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < PAGE_BLOCKS; i++)
            page->cells[kind][i].states = &page->cells[kind][i].whole;
    page->number = number;
    shelf->pages[number % SHELF_PAGES] = page;
    shelf->count++;
    shadow->page_count++;
    enter_cache(shadow, page);
    if (!shadow->steps)
        shadow->steps = allocate_zeroed(STEPS, sizeof *shadow->steps);
    return page;
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

/* Takes the access's bytes from older entries of the same key, adds them to one of the same time,
 * drops what is left of nothing or can race with nobody. */
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
    unsigned first = 0, length = 8;
    if (mask != 0xff) {
        first = (unsigned)__builtin_ctz(mask);
        length = (unsigned)__builtin_popcount(mask);
    }
    uint64_t key =
        step_access(access->word & (SITE_LIMIT - 1), first, length, access->word & ENTRY_STORE) |
        (access->word & ENTRY_ATOMIC ? STEP_ATOMIC : 0);
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

static void mark_states(void *marks, struct shadow_cells *cells)
{
    for (uint32_t i = 0; i <= cells->index_mask; i++)
        ((uint32_t *)marks)[cells->states[i]] = 1;
}

/* Where each state goes, in an array by state: what no granule is in goes nowhere, and so do
 * entries that can race with nobody any more. States move down in place, lowest first, so that the
 * rest of a state is always settled before it. */
static uint32_t *compact_states(struct shadow *shadow)
{
    uint32_t *moved = allocate_zeroed(shadow->entry_count, sizeof *moved);
    visit_pages(shadow, mark_states, moved);
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

struct sweeping {
    struct shadow *shadow;
    uint32_t *moved;
};

static void move_states(void *context, struct shadow_cells *cells)
{
    struct sweeping *sweeping = context;
    for (uint32_t i = 0; i <= cells->index_mask; i++)
        cells->states[i] = sweeping->moved[cells->states[i]];
    if (cells->index_mask)
        unite(sweeping->shadow, cells);
}

/* Costs a few nanoseconds per granule and is due when that many sets have come up that it does not
 * matter: finding a new set costs more than ten times that. */
static void sweep(struct shadow *shadow)
{
    struct sweeping sweeping = {shadow, compact_states(shadow)};
    visit_pages(shadow, move_states, &sweeping);
    free(sweeping.moved);
    memset(shadow->steps, 0, STEPS * sizeof *shadow->steps);
}

static void sweep_if_due(struct shadow *shadow)
{
    enum { GRANULES_PER_SET = 16 };
    if (shadow->entry_count < SWEEP_AT || shadow->entry_count < shadow->sweep_at)
        return;
    sweep(shadow);
    uint64_t room = shadow->split_blocks * BLOCK_CELLS / GRANULES_PER_SET;
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

/* What an access to whole granules makes of the state that it met last: mostly it meets the same
 * again. */
struct passage {
    struct shadow_entry access; /* with a mask of all bytes */
    uint32_t before, after;
    bool known;
};

static inline uint32_t pass(struct shadow *shadow, struct passage *passage, uint32_t before)
{
    if (!passage->known || passage->before != before) {
        passage->before = before;
        passage->after = step(shadow, before, &passage->access);
        passage->known = true;
    }
    return passage->after;
}

/* Granules side by side are looked at and written some at a time, by what vectors the processor
 * has. */
enum { AT_ONCE = 8, LANES = 4 };
typedef uint32_t lanes
    __attribute__((vector_size(LANES * sizeof(uint32_t)), may_alias, aligned(4)));
typedef uint64_t halves __attribute__((vector_size(LANES * sizeof(uint32_t))));

/* Whether these granules are in this state, without a branch for each of them. */
static inline bool all_are(const uint32_t *states, lanes state)
{
    lanes differs = {0};
    for (int i = 0; i < AT_ONCE; i += LANES)
        differs |= *(const lanes *)&states[i] ^ state;
    halves both = (halves)differs;
    return !(both[0] | both[1]);
}

/* Whole granules [first, end), by index in the block. */
static void note_granules(struct shadow *shadow, struct shadow_cells *cells, uint64_t first,
                          uint64_t end, struct passage *passage)
{
    uint32_t *states = cells->states;
    for (uint64_t i = first; i < end;) {
        uint32_t before = states[i], after = pass(shadow, passage, before);
        lanes all_before = before - (lanes){0}, all_after = after - (lanes){0};
        for (; i + AT_ONCE <= end && all_are(&states[i], all_before); i += AT_ONCE)
            for (int k = 0; k < AT_ONCE; k += LANES)
                *(lanes *)&states[i + (uint64_t)k] = all_after;
        for (; i < end && states[i] == before; i++)
            states[i] = after;
    }
}

/* Whether a part of a block that is all alike can be noted without splitting it: the access is
 * known there already. */
static bool changes_nothing(struct shadow *shadow, const struct shadow_cells *cells, uint64_t low,
                            uint64_t high, const struct shadow_entry *access)
{
    uint64_t first = low & ~(uint64_t)7;
    struct shadow_entry most = *access;
    most.word |= first == ((high - 1) & ~(uint64_t)7)
                     ? (uint64_t)granule_mask(first, low, high) << ENTRY_MASK_SHIFT
                     : WORD_MASK;
    return step(shadow, cells->whole, &most) == cells->whole;
}

static void note_in_block(struct shadow *shadow, struct shadow_cells *cells, uint64_t low,
                          uint64_t high, const struct shadow_entry *access, struct passage *passage)
{
    if (high - low == BLOCK_BYTES || (MUTANT(pages_stay_whole) && !cells->index_mask)) {
        if (!cells->index_mask) {
            cells->whole = pass(shadow, passage, cells->whole);
            return;
        }
        note_granules(shadow, cells, 0, BLOCK_CELLS, passage);
        unite(shadow, cells);
        return;
    }
    if (!cells->index_mask) {
        if (changes_nothing(shadow, cells, low, high, access))
            return;
        split(shadow, cells);
    }
    uint64_t first = low & ~(uint64_t)7, last = (high - 1) & ~(uint64_t)7;
    uint8_t mask = granule_mask(first, low, high);
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
        note_granules(shadow, cells, first >> 3 & (BLOCK_CELLS - 1),
                      (first >> 3 & (BLOCK_CELLS - 1)) + ((last - first) >> 3), passage);
}

/* Blocks of which all is noted, as long as they are all alike and in one state: so are most of
 * those that a row of a grid covers. About 8 instructions for 512 bytes. Where they end. */
static inline uint64_t note_alike(struct shadow_cells *cells, uint64_t low, uint64_t high,
                                  uint32_t before, uint32_t after)
{
    for (; high - low >= BLOCK_BYTES && !cells->index_mask && cells->whole == before; cells++) {
        cells->whole = after;
        low += BLOCK_BYTES;
    }
    return low;
}

void shadow_note(struct shadow *shadow, struct shadow_page *page, uint64_t low, uint64_t high,
                 const struct shadow_entry *access)
{
    struct passage passage = {.access = *access};
    struct shadow_cells *blocks = page->cells[(access->word & ENTRY_STORE) != 0];
    passage.access.word |= WORD_MASK;
    sweep_if_due(shadow);
    for (uint64_t end; low < high; low = end) {
        struct shadow_cells *cells = &blocks[low >> BLOCK_SHIFT & (PAGE_BLOCKS - 1)];
        uint64_t rest = BLOCK_BYTES - (low & (BLOCK_BYTES - 1));
        end = high - low > rest ? low + rest : high;
        if (end - low == BLOCK_BYTES && !cells->index_mask)
            end = note_alike(cells, low, high, cells->whole, pass(shadow, &passage, cells->whole));
        else
            note_in_block(shadow, cells, low, end, access, &passage);
    }
}

static void erase_in_block(struct shadow *shadow, struct shadow_cells *cells, uint64_t low,
                           uint64_t high)
{
    if (!cells->index_mask && cells->whole == 0)
        return;
    if (!cells->index_mask)
        split(shadow, cells);
    for (; low < high; low += 8)
        cells->states[low >> 3 & cells->index_mask] = 0;
    unite(shadow, cells);
}

void shadow_erase(struct shadow *shadow, uint64_t low, uint64_t high)
{
    low = (low + 7) & ~(uint64_t)7;
    high &= ~(uint64_t)7;
    for (uint64_t end; low < high; low = end) {
        struct shadow_page *page = shadow_find(shadow, low);
        uint64_t unit = page ? BLOCK_BYTES : PAGE_BYTES;
        end = (low & ~(unit - 1)) + unit;
        if (end > high)
            end = high;
        for (int kind = 0; page && kind < 2; kind++)
            erase_in_block(shadow, &page->cells[kind][low >> BLOCK_SHIFT & (PAGE_BLOCKS - 1)], low,
                           end);
    }
}

size_t shadow_bytes(const struct shadow *shadow)
{
    size_t bytes = shadow->page_count * sizeof(struct shadow_page) +
                   HASH_COUNT(shadow->shelves) * sizeof(struct shadow_shelf) +
                   shadow->split_blocks * BLOCK_CELLS * sizeof(uint32_t) +
                   shadow->entry_capacity * sizeof *shadow->entries +
                   shadow->bucket_count * sizeof *shadow->buckets +
                   shadow->scratch_capacity * sizeof *shadow->scratch;
    if (shadow->steps)
        bytes += STEPS * sizeof *shadow->steps;
    if (shadow->shelves)
        bytes += shadow->shelves->hh.tbl->num_buckets * sizeof(UT_hash_bucket);
    return bytes;
}
