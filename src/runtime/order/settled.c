#include "settled.h"

#include <stdlib.h>
#include <string.h>

#include "engine/table.h"

/* A page of level 0 has the counts of 256 tags. Where all of them are the same, its place in a page
 * of level 1 says so and it goes; and so on, up to one page for all tags. A place holds 0 where
 * there is no such number: then the page below, if there is one, knows better. */
enum { PLACES = 256, TOP = 3 /* 256^4 tags */ };

struct page_key {
    struct settled_key channels;
    uint32_t number, level; /* of the page among those of its level */
};

struct settled {
    struct page_key key;
    uint8_t counts[PLACES];
    UT_hash_handle hh;
};

static struct settled *page_find(struct settled *pages, struct settled_key key, uint32_t level,
                                 uint32_t number)
{
    struct page_key wanted = {key, number, level};
    struct settled *page;
    HASH_FIND(hh, pages, &wanted, sizeof wanted, page);
    return page;
}

static struct settled *page_add(struct settled **pages, struct settled_key key, uint32_t level,
                                uint32_t number, uint8_t count)
{
    struct settled *page = allocate(sizeof *page);
    page->key = (struct page_key){key, number, level};
    memset(page->counts, count, PLACES);
    HASH_ADD(hh, *pages, key, sizeof page->key, page);
    return page;
}

static void page_delete(struct settled **pages, struct settled *page)
{
    HASH_DEL(*pages, page);
    free(page);
}

static bool page_is_uniform(const struct settled *page)
{
    return memcmp(page->counts, page->counts + 1, PLACES - 1) == 0;
}

bool settled_put(struct settled **pages, struct settled_key key, int tag, uint64_t count)
{
    if (count > SETTLED_LIMIT)
        return false;
    uint32_t place = (uint32_t)tag;
    for (uint32_t level = 0; count != 0; level++, place /= PLACES) {
        struct settled *page = page_find(*pages, key, level, place / PLACES);
        if (!page)
            page = page_add(pages, key, level, place / PLACES, 0);
        page->counts[place % PLACES] = (uint8_t)count;
        if (level == TOP || !page_is_uniform(page))
            break;
        page_delete(pages, page);
    }
    return true;
}

/* The pages below a number that stands for all of them get it again, down to the tag's. */
static struct settled *pages_spread(struct settled **pages, struct settled_key key, uint32_t tag,
                                    uint32_t level, uint8_t count)
{
    struct settled *page = NULL;
    while (level-- > 0) {
        uint32_t place = tag >> 8 * level;
        page = page_add(pages, key, level, place / PLACES, count);
        if (level > 0)
            page->counts[place % PLACES] = 0;
    }
    return page;
}

uint64_t settled_take(struct settled **pages, struct settled_key key, int tag)
{
    uint32_t level = 0, place = (uint32_t)tag;
    struct settled *page = NULL;
    uint8_t count = 0;
    for (; level <= TOP && *pages; level++, place /= PLACES) {
        page = page_find(*pages, key, level, place / PLACES);
        count = page ? page->counts[place % PLACES] : 0;
        if (count)
            break;
    }
    if (!count)
        return 0;
    page->counts[place % PLACES] = 0;
    if (page->counts[0] == 0 && page_is_uniform(page))
        page_delete(pages, page);
    if (level > 0)
        pages_spread(pages, key, (uint32_t)tag, level, count)->counts[(uint32_t)tag % PLACES] = 0;
    return count;
}

void settled_clear(struct settled **pages)
{
    struct settled *page, *next;
    HASH_ITER(hh, *pages, page, next)
    page_delete(pages, page);
}
