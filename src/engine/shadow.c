#include "shadow.h"
#include <stdlib.h>
#include "alloc.h"
#include "mutants.h"

void shadow_init(struct shadow *shadow)
{
    *shadow = (struct shadow){.further_count = 1}; /* index 0 means none */
    shadow_forget_cache(shadow);
}

void shadow_clear(struct shadow *shadow)
{
    struct shadow_page *page, *next;
    HASH_ITER(hh, shadow->pages, page, next)
    {
        HASH_DEL(shadow->pages, page);
        free(page);
    }
    free(shadow->further);
    *shadow = (struct shadow){0};
}

void shadow_forget_cache(struct shadow *shadow)
{
    for (unsigned i = 0; i < PAGE_CACHE; i++)
        shadow->cache[i].number = UINT64_MAX; /* no address has this page */
}

struct shadow_page *shadow_look_up(struct shadow *shadow, uint64_t number)
{
    struct shadow_page *page;
    HASH_FIND(hh, shadow->pages, &number, sizeof number, page);
    unsigned slot = number % PAGE_CACHE;
    shadow->cache[slot].number = number;
    shadow->cache[slot].page = page;
    return page;
}

struct shadow_page *shadow_make(struct shadow *shadow, uint64_t number)
{
    struct shadow_page *page = allocate_zeroed(1, sizeof *page);
    page->number = number;
    HASH_ADD(hh, shadow->pages, number, sizeof number, page);
    unsigned slot = number % PAGE_CACHE;
    shadow->cache[slot].number = number;
    shadow->cache[slot].page = page;
    return page;
}

static uint32_t take_further(struct shadow *shadow)
{
    if (shadow->further_free) {
        uint32_t index = shadow->further_free;
        shadow->further_free = shadow->further[index].next;
        return index;
    }
    if (shadow->further_count >= shadow->further_capacity) {
        shadow->further_capacity = shadow->further_capacity ? 2 * shadow->further_capacity : 64;
        shadow->further =
            reallocate(shadow->further, shadow->further_capacity * sizeof *shadow->further);
    }
    return shadow->further_count++;
}

static void give_further(struct shadow *shadow, uint32_t index)
{
    shadow->further[index] = (struct shadow_entry){.next = shadow->further_free};
    shadow->further_free = index;
}

static void drop_chain(struct shadow *shadow, uint32_t index)
{
    while (index) {
        uint32_t next = shadow->further[index].next;
        give_further(shadow, index);
        index = next;
    }
}

void shadow_drop(struct shadow *shadow, uint64_t low, uint64_t high)
{
    struct shadow_page *page, *next;
    HASH_ITER(hh, shadow->pages, page, next)
    {
        uint64_t start = page->number << PAGE_SHIFT;
        if (start < low || start + ((uint64_t)1 << PAGE_SHIFT) > high)
            continue;
        for (int i = 0; i < PAGE_CELLS; i++)
            for (int kind = 0; kind < 2; kind++)
                drop_chain(shadow, page->cells[i].latest[kind].next);
        HASH_DEL(shadow->pages, page);
        free(page);
    }
    shadow_forget_cache(shadow);
}

#define WORD_KEY (~((uint64_t)0xff << ENTRY_MASK_SHIFT)) /* everything but the mask */

void shadow_note(struct shadow *shadow, struct shadow_page *page, struct shadow_cell *cell,
                 uint8_t mask, bool store, site_t site, uint32_t who, time_point time,
                 shadow_obsolete *obsolete, void *context)
{
    struct shadow_entry *head = &cell->latest[store];
    uint64_t key = site | ENTRY_USED | (store ? ENTRY_STORE : 0);
    uint64_t bits = (uint64_t)mask << ENTRY_MASK_SHIFT;
    if (who >> 16)
        page->threads = true;
    else if (time > page->newest)
        page->newest = time;

    /* Take the mask's bytes from older entries of the same key; drop what is left of nothing. A
     * further entry of exactly this key and time that has the bytes settles it. */
    uint32_t *link = &head->next;
    while (*link) {
        struct shadow_entry *entry = &shadow->further[*link];
        if ((entry->word & WORD_KEY) == key && entry->who == who) {
            if (entry->time == time) {
                entry->word |= bits;
                return;
            }
            entry->word &= ~bits;
        } else if (MUTANT(forget_shadow_sites) && entry->who == who) {
            entry->word &= ~bits;
        }
        if (!entry_mask(entry) || obsolete(context, entry)) {
            uint32_t gone = *link;
            *link = entry->next;
            give_further(shadow, gone);
        } else {
            link = &entry->next;
        }
    }
    bool same_key = (head->word & WORD_KEY) == key && head->who == who;
    if (same_key && head->time == time) {
        head->word |= bits;
        return;
    }
    if (same_key || (MUTANT(forget_shadow_sites) && head->who == who))
        head->word &= ~bits;
    if (entry_mask(head) && !obsolete(context, head)) {
        uint32_t index = take_further(shadow); /* moves the array, not the cells */
        shadow->further[index] = *head;
        head->next = index;
    }
    head->word = key | bits;
    head->time = time;
    head->who = who;
}

size_t shadow_bytes(const struct shadow *shadow)
{
    return HASH_COUNT(shadow->pages) * sizeof(struct shadow_page) +
           shadow->further_capacity * sizeof *shadow->further;
}
