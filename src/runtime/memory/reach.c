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
}

void reach_remove_piece(window_t window, uint64_t low)
{
    for (size_t i = first_from(low); i < npieces && pieces[i].reach.low == low; i++)
        if (pieces[i].reach.window == window) {
            remove_at(i);
            return;
        }
}

void reach_mark_pages(void)
{
    for (size_t i = 0; i < npieces; i++)
        mark(&pieces[i].reach);
}
