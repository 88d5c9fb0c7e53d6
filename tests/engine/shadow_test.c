/* The shadow against a table with a line for every byte: the latest time of each site, kind and
 * thread. */
#include "shadow.h"
#include <string.h>
#include "unit.h"

enum { PAGES = 3, CELLS = PAGE_BYTES / 8, BYTES = PAGES << PAGE_SHIFT, SITES = 3, WHOS = 2 };

struct table {
    time_point latest[BYTES][2][SITES][WHOS];
};

static time_point forgotten; /* nobody can race with anything before it */

static bool obsolete(void *context, const struct shadow_entry *entry)
{
    (void)context;
    return entry->time < forgotten;
}

static void access_both(struct shadow *shadow, struct table *table, uint64_t low, uint64_t high,
                        bool store, site_t site, uint32_t who, time_point time)
{
    struct shadow_entry access = {
        .word = site | (store ? ENTRY_STORE : 0), .time = time, .who = who};
    for (uint64_t at = low; at < high;) {
        uint64_t page_end = (at / PAGE_BYTES + 1) * PAGE_BYTES;
        uint64_t end = page_end < high ? page_end : high;
        struct shadow_page *page = shadow_find(shadow, at);
        if (!page)
            page = shadow_make(shadow, at >> PAGE_SHIFT);
        shadow_note(shadow, page, at, end, &access);
        at = end;
    }
    for (uint64_t at = low; at < high; at++)
        table->latest[at][store][site][who] = time;
}

/* Every byte's entries are exactly those of the table, except for what is obsolete. */
static void assert_equal(struct shadow *shadow, const struct table *table)
{
    for (uint64_t at = 0; at < BYTES; at++)
        for (int store = 0; store < 2; store++) {
            struct shadow_page *page = shadow_find(shadow, at);
            time_point seen[SITES][WHOS] = {0};
            for (uint32_t state = page ? *shadow_state_at(page, store, at) : 0; state;
                 state = shadow->entries[state].next) {
                const struct shadow_entry *entry = &shadow->entries[state];
                assert_true(entry->next < state);
                assert_int_equal((entry->word & ENTRY_STORE) != 0, store);
                if (!(entry_mask(entry) >> (at & 7) & 1))
                    continue;
                site_t site = entry->word & (SITE_LIMIT - 1);
                assert_int_equal(seen[site][entry->who], 0);
                seen[site][entry->who] = entry->time;
            }
            for (int site = 0; site < SITES; site++)
                for (int who = 0; who < WHOS; who++) {
                    time_point wanted = table->latest[at][store][site][who];
                    if (wanted >= forgotten)
                        assert_int_equal(seen[site][who], wanted);
                    else if (seen[site][who])
                        assert_int_equal(seen[site][who], wanted);
                }
        }
}

/* Bytes, words, ranges that cross pages, whole pages, everything. */
static void random_range(uint64_t *low, uint64_t *high)
{
    uint64_t size;
    switch (random_below(8)) {
    case 0:
        *low = random_below(PAGES) * PAGE_BYTES;
        *high = *low + PAGE_BYTES;
        return;
    case 1:
        *low = 0;
        *high = BYTES;
        return;
    case 2:
        size = 1 + random_below(BYTES / 2);
        break;
    default:
        size = (uint64_t)1 << random_below(5);
    }
    *low = random_below((uint32_t)(BYTES - size + 1));
    *high = *low + size;
}

static void random_accesses(void **state)
{
    (void)state;
    static struct table table;
    for (int round = 0; round < 4; round++) {
        struct shadow shadow;
        shadow_init(&shadow, obsolete, NULL);
        memset(&table, 0, sizeof table);
        forgotten = 0;
        time_point time = 1;
        for (int i = 0; i < 6000; i++) {
            uint64_t low, high;
            random_range(&low, &high);
            access_both(&shadow, &table, low, high, random_below(2), random_below(SITES),
                        random_below(WHOS), time);
            if (random_below(3) == 0)
                time++;
            if (round % 2 && random_below(500) == 0)
                forgotten = time - 1;
            if (i % 1500 == 1499)
                assert_equal(&shadow, &table);
        }
        shadow_clear(&shadow);
    }
}

/* However many times pass: what no granule is in any more does not stay. */
static void memory_stays_small(void **state)
{
    (void)state;
    struct shadow shadow;
    shadow_init(&shadow, obsolete, NULL);
    forgotten = 0;
    struct shadow_page *page = shadow_make(&shadow, 5);
    uint64_t start = 5 * PAGE_BYTES;
    for (time_point time = 1; time < 100000; time++)
        for (site_t site = 0; site < 3; site++) {
            struct shadow_entry access = {.word = site | ENTRY_STORE, .time = time};
            shadow_note(&shadow, page, start + time % CELLS * 8, start + PAGE_BYTES, &access);
        }
    /* Besides pages and steps: entries of 32 bytes and their buckets. */
    size_t fixed = 8192 + CELLS * sizeof(uint32_t) + (sizeof(struct shadow_step) << STEP_BITS);
    assert_true(shadow_bytes(&shadow) < fixed + 40 * (size_t)(3 * SWEEP_AT + 16 * CELLS));

    struct shadow_entry access = {.time = 100000};
    for (site_t site = 0; site < 3; site++) {
        access.word = site | ENTRY_STORE;
        shadow_note(&shadow, page, start, start + PAGE_BYTES, &access);
    }
    assert_int_equal(shadow.split_blocks, 0); /* all granules alike: one state */
    shadow_clear(&shadow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_accesses),
        cmocka_unit_test(memory_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
