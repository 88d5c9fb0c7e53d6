#include "ranges.h"
#include <string.h>
#include "alloc.h"
#include "assertions.h"

/* The first range that ends at or above the address. Most programs have a few windows only. */
static inline size_t first_ending_from(const struct ranges *ranges, uint64_t address)
{
    enum { FEW = 4 };
    size_t from = 0, to = ranges->count;
    if (to <= FEW) {
        while (from < to && ranges->list[from].high < address)
            from++;
        return from;
    }
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (ranges->list[middle].high < address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool ranges_touch(const struct ranges *ranges, uint64_t low, uint64_t high, size_t *index)
{
    size_t first = first_ending_from(ranges, low);
    first += first < ranges->count && ranges->list[first].high == low;
    if (index)
        *index = first;
    return first < ranges->count && ranges->list[first].low < high;
}

/* Ascending, disjoint, not touching, none empty. */
static bool is_sound(const struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->count; i++)
        if (ranges->list[i].low >= ranges->list[i].high ||
            (i > 0 && ranges->list[i - 1].high >= ranges->list[i].low))
            return false;
    return true;
}

/* Puts `range` into the place of those from `first` to `last` - 1. */
static void replace(struct ranges *ranges, size_t first, size_t last, struct range range)
{
    if (first == last) {
        grow_array(ranges->list, ranges->count, ranges->capacity);
        memmove(&ranges->list[first + 1], &ranges->list[first],
                (ranges->count - first) * sizeof *ranges->list);
        ranges->count++;
    } else {
        memmove(&ranges->list[first + 1], &ranges->list[last],
                (ranges->count - last) * sizeof *ranges->list);
        ranges->count -= last - first - 1;
    }
    ranges->list[first] = range;
}

void ranges_add(struct ranges *ranges, uint64_t low, uint64_t high)
{
    if (low >= high)
        return;
    size_t first = first_ending_from(ranges, low), last = first;
    for (; last < ranges->count && ranges->list[last].low <= high; last++) {
        const struct range *touching = &ranges->list[last]; /* becomes one with the new one */
        low = touching->low < low ? touching->low : low;
        high = touching->high > high ? touching->high : high;
    }
    replace(ranges, first, last, (struct range){low, high});
    assert_expensive(is_sound(ranges));
}

void ranges_remove(struct ranges *ranges, uint64_t low, uint64_t high)
{
    size_t first, last;
    if (low >= high || !ranges_touch(ranges, low, high, &first))
        return;
    for (last = first; last < ranges->count && ranges->list[last].low < high; last++)
        ;
    uint64_t below = ranges->list[first].low, above = ranges->list[last - 1].high;
    memmove(&ranges->list[first], &ranges->list[last],
            (ranges->count - last) * sizeof *ranges->list);
    ranges->count -= last - first;
    if (above > high)
        replace(ranges, first, first, (struct range){high, above});
    if (below < low)
        replace(ranges, first, first, (struct range){below, low});
    assert_expensive(is_sound(ranges) && !ranges_touch(ranges, low, high, NULL));
}

void ranges_add_common(struct ranges *ranges, const struct ranges *from, uint64_t low,
                       uint64_t high)
{
    size_t i;
    if (!ranges_touch(from, low, high, &i))
        return;
    for (; i < from->count && from->list[i].low < high; i++)
        ranges_add(ranges, from->list[i].low > low ? from->list[i].low : low,
                   from->list[i].high < high ? from->list[i].high : high);
}
