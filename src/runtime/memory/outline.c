#include "outline.h"

#include <stdlib.h>

static struct access_bounds nowhere;
struct access_windows outline_windows = {.bounds = &nowhere};
/* With room for `room` pairs. Replaced ones stay, since somebody may be reading them: half of what
 * is in use at the most, as each is twice as large as the one before. */
static struct access_bounds *bounds;
static size_t room;

static void begin_change(void)
{
    __atomic_store_n(&outline_windows.changes, outline_windows.changes + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static void end_change(void)
{
    __atomic_store_n(&outline_windows.bounds, bounds, __ATOMIC_RELAXED);
    __atomic_store_n(&outline_windows.changes, outline_windows.changes + 1, __ATOMIC_RELEASE);
}

static void set(uint64_t *place, uint64_t value)
{
    __atomic_store_n(place, value, __ATOMIC_RELAXED);
}

static bool make_room(size_t pairs)
{
    if (bounds && pairs <= room)
        return true;
    size_t wanted = 2 * pairs + 16;
    struct access_bounds *larger = calloc(1, sizeof *larger + 2 * wanted * sizeof larger->pairs[0]);
    if (!larger)
        return false;
    bounds = larger;
    room = wanted;
    return true;
}

/* ---- drawn anew ---- */

struct range {
    uint64_t low, high;
};

struct ranges {
    struct range *list;
    size_t count;
};

static bool collect(void *context, struct span *span)
{
    struct ranges *ranges = context;
    ranges->list[ranges->count++] = (struct range){span->low, span->high};
    return true;
}

static int by_low_end(const void *a, const void *b)
{
    const struct range *left = a, *right = b;
    return (left->low > right->low) - (left->low < right->low);
}

/* Ranges that overlap or touch become one. */
static size_t merge(struct range *sorted, size_t count)
{
    size_t merged = 0;
    for (size_t i = 0; i < count; i++) {
        struct range *last = merged > 0 ? &sorted[merged - 1] : NULL;
        if (!last || sorted[i].low > last->high)
            sorted[merged++] = sorted[i];
        else if (sorted[i].high > last->high)
            last->high = sorted[i].high;
    }
    return merged;
}

bool outline_draw(const struct spans *pieces)
{
    struct range few[32];
    size_t count = pieces->count;
    bool is_few = count <= sizeof few / sizeof *few;
    struct ranges ranges = {.list = is_few ? few : malloc(count * sizeof *few)};
    if (!ranges.list || !make_room(count)) {
        if (!is_few)
            free(ranges.list);
        return false;
    }
    spans_visit(pieces, 0, UINT64_MAX, collect, &ranges);
    qsort(ranges.list, ranges.count, sizeof *ranges.list, by_low_end);
    count = merge(ranges.list, ranges.count);
    begin_change();
    for (size_t i = 0; i < count; i++) {
        set(&bounds->pairs[2 * i], ranges.list[i].low);
        set(&bounds->pairs[2 * i + 1], ranges.list[i].high);
    }
    set(&bounds->count, count);
    end_change();
    if (!is_few)
        free(ranges.list);
    return true;
}

/* ---- stretched ---- */

/* How many pairs begin at or below the address. */
static size_t pairs_up_to(uint64_t address)
{
    size_t low = 0, high = bounds->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (bounds->pairs[2 * middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void outline_stretch(uint64_t low, uint64_t high)
{
    uint64_t *pairs = bounds->pairs;
    size_t below = pairs_up_to(low), count = bounds->count;
    size_t i = below; /* the pair that is stretched: this one, or the one before */
    if (below > 0 && pairs[2 * below - 1] >= high)
        return;
    if (below == count || (below > 0 && (pairs[2 * below - 1] >= low ||
                                         low - pairs[2 * below - 1] <= pairs[2 * below] - low)))
        i--;
    begin_change();
    if (pairs[2 * i] > low)
        set(&pairs[2 * i], low);
    /* Where it goes over the next ones, too, these end no earlier: a reader looks only at the last
     * pair that begins below the end of its bytes. */
    for (; i < count && pairs[2 * i + 1] < high; i++)
        set(&pairs[2 * i + 1], high);
    end_change();
}
