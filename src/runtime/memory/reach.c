#include "reach.h"

#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "session.h"

/* Sorted by `low`. Pieces may overlap (several windows over one memory), hence `highest`. */
struct piece {
    struct reach reach;
    uint64_t highest; /* end of the memory of this piece and all before it */
};

static struct piece *pieces;
static size_t npieces, room;

static void renew_highest(size_t from)
{
    uint64_t highest = from > 0 ? pieces[from - 1].highest : 0;
    for (size_t i = from; i < npieces; i++) {
        if (pieces[i].reach.high > highest)
            highest = pieces[i].reach.high;
        pieces[i].highest = highest;
    }
}

/* The first piece that begins at or above the address. */
static size_t first_from(uint64_t address)
{
    size_t low = 0, high = npieces;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (pieces[middle].reach.low < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void reach_visit(uint64_t low, uint64_t high, reach_visitor *visit, void *context)
{
    for (size_t i = first_from(high); i-- > 0 && pieces[i].highest > low;)
        if (pieces[i].reach.high > low && !visit(context, &pieces[i].reach))
            return;
}

/* ---- for those who have no lock ---- */

static struct access_bounds nowhere;
struct access_windows reach_windows = {.bounds = &nowhere};
static struct access_bounds *bounds; /* with room for `bounds_room` pairs; replaced ones stay */
static size_t bounds_room;

static void write_pair(uint64_t i, uint64_t low, uint64_t high)
{
    __atomic_store_n(&bounds->pairs[2 * i], low, __ATOMIC_RELAXED);
    __atomic_store_n(&bounds->pairs[2 * i + 1], high, __ATOMIC_RELAXED);
}

/* Pieces that overlap or touch become one. */
static void write_bounds(void)
{
    uint64_t count = 0, low = 0, high = 0;
    for (size_t i = 0; i < npieces; i++) {
        if (i > 0 && pieces[i].reach.low <= high) {
            high = pieces[i].highest;
            continue;
        }
        if (i > 0)
            write_pair(count++, low, high);
        low = pieces[i].reach.low;
        high = pieces[i].highest;
    }
    if (npieces > 0)
        write_pair(count++, low, high);
    __atomic_store_n(&bounds->count, count, __ATOMIC_RELAXED);
}

/* False if there is no memory for them. */
static bool make_room(void)
{
    if (bounds && npieces <= bounds_room)
        return true;
    struct access_bounds *larger = calloc(1, sizeof *larger + 2 * room * sizeof larger->pairs[0]);
    if (!larger)
        return false;
    bounds = larger;
    bounds_room = room;
    return true;
}

static void renew_windows(void)
{
    if (!make_room()) {
        session_give_up_races("no memory for a window");
        return;
    }
    uint64_t changes = reach_windows.changes;
    __atomic_store_n(&reach_windows.changes, changes + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    write_bounds();
    __atomic_store_n(&reach_windows.bounds, bounds, __ATOMIC_RELAXED);
    __atomic_store_n(&reach_windows.changes, changes + 2, __ATOMIC_RELEASE);
}

/* ---- changes ---- */

static bool touch(void *context, const struct reach *reach)
{
    (void)reach;
    *(bool *)context = true;
    return false;
}

bool reach_touches(uint64_t low, uint64_t high)
{
    bool touched = false;
    reach_visit(low, high, touch, &touched);
    return touched;
}

static void mark(const struct reach *reach)
{
    bool threads = atomic_load_explicit(&session_bias.shared, memory_order_relaxed);
    pages_mark_range(reach->low, reach->high,
                     threads ? ACCESS_WINDOW | ACCESS_THREADS : ACCESS_WINDOW);
}

void reach_add(const struct reach *reach)
{
    if (reach->low >= reach->high)
        return;
    if (npieces == room) {
        size_t more = 2 * room + 16;
        struct piece *larger = realloc(pieces, more * sizeof *larger);
        if (!larger) {
            session_give_up_races("no memory for a window");
            return;
        }
        pieces = larger;
        room = more;
    }
    size_t place = first_from(reach->low);
    memmove(&pieces[place + 1], &pieces[place], (npieces - place) * sizeof *pieces);
    pieces[place].reach = *reach;
    npieces++;
    renew_highest(place);
    renew_windows();
    mark(reach);
}

static void clear_pages(uint64_t low, uint64_t high)
{
    const uint64_t size = UINT64_C(1) << ACCESS_PAGE_BITS;
    for (uint64_t page = low & ~(size - 1); pages && page < high; page += size)
        if (!reach_touches(page, page + size))
            pages_clear(page, ACCESS_WINDOW | ACCESS_THREADS);
}

static void remove_at(size_t i)
{
    struct reach gone = pieces[i].reach;
    memmove(&pieces[i], &pieces[i + 1], (npieces - i - 1) * sizeof *pieces);
    npieces--;
    renew_highest(i);
    clear_pages(gone.low, gone.high);
}

void reach_remove_window(window_t window)
{
    for (size_t i = npieces; i-- > 0;)
        if (pieces[i].reach.window == window)
            remove_at(i);
    renew_windows();
}

void reach_remove_piece(window_t window, uint64_t low)
{
    for (size_t i = first_from(low); i < npieces && pieces[i].reach.low == low; i++)
        if (pieces[i].reach.window == window) {
            remove_at(i);
            renew_windows();
            return;
        }
}

void reach_mark_pages(void)
{
    for (size_t i = 0; i < npieces; i++)
        mark(&pieces[i].reach);
}
