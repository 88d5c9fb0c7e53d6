#include "sites.h"

#include <link.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "engine/table.h"

#include "interpose/record.h"
#include "interpose/scripts.h"
#include "interpose/site_records.h"

struct known {
    UT_hash_handle hh;
    struct site site;
};

struct touch_key {
    struct site *site;
    uint64_t window;
    int64_t target;
};

struct touch {
    UT_hash_handle hh;
    struct touch_key key;
    const char *call;
    uint64_t low, high;
    bool grown; /* since it was written */
};

static struct known *known_sites;
static struct touch *touches;

static uint32_t name_of(const void *address)
{
    Dl_info info;
    struct link_map *map = NULL;
    uintptr_t where = (uintptr_t)address;
    const struct script_line *script = script_line_of(address);
    if (script)
        return XXH32(&script->line, sizeof script->line,
                     XXH32(script->file, strlen(script->file), 0));
    if (!dladdr1((void *)(where - 1), &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return 0;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *module = slash ? slash + 1 : info.dli_fname;
    uint64_t offset = where - map->l_addr;
    return XXH32(&offset, sizeof offset, XXH32(module, strlen(module), 0));
}

struct site *site_of(const struct stack *stack)
{
    struct known *known;
    if (!stack)
        return NULL;
    HASH_FIND_PTR(known_sites, &stack, known);
    if (known)
        return &known->site;
    known = calloc(1, sizeof *known);
    if (!known)
        return NULL;
    known->site.stack = stack;
    known->site.number = site_recorded(stack);
    known->site.name = stack->depth ? name_of(stack->addresses[0]) : 0;
    HASH_ADD_KEYPTR(hh, known_sites, &known->site.stack, sizeof known->site.stack, known);
    return &known->site;
}

static void record_touch(struct touch *touch)
{
    struct record record;
    char name[16];
    snprintf(name, sizeof name, "%08x", touch->key.site->name);
    record_begin(&record, "operation");
    record_string(&record, "name", name);
    record_string(&record, "call", touch->call);
    record_number(&record, "window", (int64_t)touch->key.window);
    record_number(&record, "target", touch->key.target);
    record_number(&record, "low", (int64_t)touch->low);
    record_number(&record, "high", (int64_t)touch->high);
    record_number(&record, "site", (int64_t)touch->key.site->number);
    record_end(&record);
    touch->grown = false;
}

void touch_extend(struct touch *touch, uint64_t low, uint64_t high)
{
    touch->grown |= low < touch->low || high > touch->high;
    touch->low = low < touch->low ? low : touch->low;
    touch->high = high > touch->high ? high : touch->high;
}

struct touch *sites_touched(struct site *site, const char *call, uint64_t window, int target,
                            uint64_t low, uint64_t high)
{
    struct touch *touch;
    struct touch_key key = {site, window, target};
    HASH_FIND(hh, touches, &key, sizeof key, touch);
    if (!touch) {
        touch = calloc(1, sizeof *touch);
        if (!touch)
            return NULL;
        *touch = (struct touch){.key = key, .call = call, .low = low, .high = high};
        HASH_ADD(hh, touches, key, sizeof touch->key, touch);
        record_touch(touch);
        return touch;
    }
    touch_extend(touch, low, high);
    return touch;
}

void sites_record(void)
{
    for (struct touch *touch = touches; touch; touch = touch->hh.next)
        if (touch->grown)
            record_touch(touch);
}
