#include "own_puts.h"

#include <stdlib.h>

#include "engine/table.h"

struct bounds_of_target {
    uint32_t target;
    uint64_t low, high;
    UT_hash_handle hh;
};

static struct bounds_of_target *all, *latest;
static bool lost; /* where one of them went */

static struct bounds_of_target *find(uint32_t target)
{
    if (!latest || latest->target != target)
        HASH_FIND(hh, all, &target, sizeof target, latest);
    return latest;
}

void own_puts_note(uint32_t target, uint64_t base, const struct section *sections, size_t count)
{
    struct bounds_of_target *bounds = find(target);
    if (!bounds && !(bounds = calloc(1, sizeof *bounds))) {
        lost = true;
        return;
    }
    if (bounds != latest) {
        *bounds = (struct bounds_of_target){.target = target, .low = UINT64_MAX};
        HASH_ADD(hh, all, target, sizeof bounds->target, bounds);
        latest = bounds;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t low = base + sections[i].start, high = base + section_end(&sections[i]);
        bounds->low = low < bounds->low ? low : bounds->low;
        bounds->high = high > bounds->high ? high : bounds->high;
    }
}

void own_puts_lose(void)
{
    lost = true;
}

bool own_puts_spared(uint32_t target, uint64_t low, uint64_t high)
{
    const struct bounds_of_target *bounds = find(target);
    return !lost && (!bounds || high <= bounds->low || bounds->high <= low);
}
