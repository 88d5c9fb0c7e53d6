#include "settled.h"

#include <stdlib.h>
#include <string.h>

#include "engine/table.h"

enum { PAGE_TAGS = 256 };

struct page_key {
    struct settled_key channels;
    uint64_t number; /* tag / PAGE_TAGS */
};

struct settled {
    struct page_key key;
    uint8_t *counts; /* by tag; NULL: all are `all` */
    uint8_t all;
    UT_hash_handle hh;
};

static struct settled *page_find(struct settled *pages, struct settled_key key, int tag)
{
    struct page_key wanted = {key, (uint32_t)tag / PAGE_TAGS};
    struct settled *page;
    HASH_FIND(hh, pages, &wanted, sizeof wanted, page);
    return page;
}

static struct settled *page_add(struct settled **pages, struct settled_key key, int tag)
{
    struct settled *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->key = (struct page_key){key, (uint32_t)tag / PAGE_TAGS};
    HASH_ADD(hh, *pages, key, sizeof page->key, page);
    return page;
}

static bool page_spread(struct settled *page)
{
    if (!page->counts && (page->counts = malloc(PAGE_TAGS)))
        memset(page->counts, page->all, PAGE_TAGS);
    return page->counts != NULL;
}

static void page_unite(struct settled **pages, struct settled *page)
{
    if (memcmp(page->counts, page->counts + 1, PAGE_TAGS - 1) != 0)
        return;
    page->all = page->counts[0];
    free(page->counts);
    page->counts = NULL;
    if (page->all == 0) {
        HASH_DEL(*pages, page);
        free(page);
    }
}

bool settled_put(struct settled **pages, struct settled_key key, int tag, uint64_t count)
{
    if (count > SETTLED_LIMIT)
        return false;
    if (count == 0)
        return true;
    struct settled *page = page_find(*pages, key, tag);
    if (!page)
        page = page_add(pages, key, tag);
    if (!page || !page_spread(page))
        return false;
    page->counts[(uint32_t)tag % PAGE_TAGS] = (uint8_t)count;
    page_unite(pages, page);
    return true;
}

uint64_t settled_take(struct settled **pages, struct settled_key key, int tag)
{
    struct settled *page = page_find(*pages, key, tag);
    if (!page)
        return 0;
    uint32_t place = (uint32_t)tag % PAGE_TAGS;
    uint64_t count = page->counts ? page->counts[place] : page->all;
    if (count && page_spread(page)) {
        page->counts[place] = 0;
        page_unite(pages, page);
    }
    return count;
}

void settled_clear(struct settled **pages)
{
    struct settled *page, *next;
    HASH_ITER(hh, *pages, page, next)
    {
        HASH_DEL(*pages, page);
        free(page->counts);
        free(page);
    }
}
