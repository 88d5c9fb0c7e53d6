#include "reach.h"

#include <stdlib.h>

#include "engine/spans.h"
#include "engine/table.h"
#include "outline.h"
#include "pages.h"
#include "session.h"
#include "window_accesses.h"

struct piece {
    struct span span; /* first: the set hands these back */
    struct reach reach;
    struct piece *previous, *next; /* of the same window */
    uint64_t alone_at; /* when no other piece had one of its bytes: reach_changes, plus one */
};

struct window_pieces {
    window_t window;
    struct piece *first;
    UT_hash_handle hh;
};

static struct spans pieces;
uint64_t reach_changes;
static struct window_pieces *by_window;

/* ---- for those who have no lock ---- */

/* So few are drawn exactly at every change. Of more the outline is only stretched, and drawn again
 * when it has been asked in vain as often as that costs: it all stays within a constant factor of
 * what must be done anyway, and a program that attaches pieces without end does not wait longer for
 * each of them. */
enum { DRAWN_AT_ONCE = 32 };
static size_t asked_in_vain;

static void draw(void)
{
    asked_in_vain = 0;
    if (!outline_draw(&pieces))
        session_give_up_races("no memory for a window");
}

/* ---- questions ---- */

struct visit {
    reach_visitor *visit;
    void *context;
    bool found;
};

static bool visit_piece(void *context, struct span *span)
{
    struct visit *visit = context;
    visit->found = true;
    return visit->visit(visit->context, &((const struct piece *)span)->reach);
}

void reach_visit(uint64_t low, uint64_t high, reach_visitor *visit, void *context)
{
    struct visit with = {.visit = visit, .context = context};
    spans_visit(&pieces, low, high, visit_piece, &with);
    if (!with.found && pieces.count > DRAWN_AT_ONCE && ++asked_in_vain > pieces.count)
        draw();
}

struct touching {
    struct piece *first;
    size_t count;
};

static bool count_two(void *context, struct span *span)
{
    struct touching *touching = context;
    if (touching->count++ == 0)
        touching->first = (struct piece *)span;
    return touching->count < 2;
}

static bool is_alone(struct piece *piece)
{
    struct touching touching = {0};
    if (piece->alone_at == reach_changes + 1)
        return true;
    spans_visit(&pieces, piece->reach.low, piece->reach.high, count_two, &touching);
    if (touching.count == 1)
        piece->alone_at = reach_changes + 1;
    return touching.count == 1;
}

const struct reach *reach_find_only(uint64_t low, uint64_t high, struct reach_memory *memory)
{
    struct touching touching = {0};
    spans_visit(&pieces, low, high, count_two, &touching);
    const struct reach *found = touching.count == 1 ? &touching.first->reach : NULL;
    if (found && (low < found->low || high > found->high || !is_alone(touching.first)))
        found = NULL;
    *memory = (struct reach_memory){found, reach_changes + 1};
    return found;
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
    pages_mark_range(reach->low, reach->high,
                     window_runs_shared ? ACCESS_WINDOW | ACCESS_THREADS : ACCESS_WINDOW);
}

static struct window_pieces *pieces_of(window_t window)
{
    struct window_pieces *found;
    HASH_FIND(hh, by_window, &window, sizeof window, found);
    return found;
}

static bool link_piece(struct piece *piece)
{
    struct window_pieces *window = pieces_of(piece->reach.window);
    if (!window) {
        window = calloc(1, sizeof *window);
        if (!window)
            return false;
        window->window = piece->reach.window;
        HASH_ADD(hh, by_window, window, sizeof window->window, window);
    }
    piece->next = window->first;
    if (piece->next)
        piece->next->previous = piece;
    window->first = piece;
    return true;
}

static void unlink_piece(struct window_pieces *window, struct piece *piece)
{
    if (piece->next)
        piece->next->previous = piece->previous;
    if (piece->previous)
        piece->previous->next = piece->next;
    else
        window->first = piece->next;
    if (!window->first) {
        HASH_DEL(by_window, window);
        free(window);
    }
}

bool reach_has_shared;

void reach_add(const struct reach *reach)
{
    if (reach->low >= reach->high)
        return;
    reach_has_shared = reach_has_shared || reach->shared;
    struct piece *piece = calloc(1, sizeof *piece);
    if (piece)
        piece->reach = *reach;
    if (!piece || !link_piece(piece)) {
        free(piece);
        session_give_up_races("no memory for a window");
        return;
    }
    piece->span.low = reach->low;
    piece->span.high = reach->high;
    spans_insert(&pieces, &piece->span);
    reach_changes++;
    if (pieces.count <= DRAWN_AT_ONCE)
        draw();
    else
        outline_stretch(reach->low, reach->high);
    mark(reach);
}

static void clear_pages(uint64_t low, uint64_t high)
{
    const uint64_t size = UINT64_C(1) << ACCESS_PAGE_BITS;
    low = low > PAGES_AHEAD ? low - PAGES_AHEAD : 0;
    for (uint64_t page = low & ~(size - 1); pages && page < high; page += size)
        if (!reach_touches(page, page + size + PAGES_AHEAD))
            pages_clear(page, ACCESS_WINDOW | ACCESS_THREADS);
}

static void remove_piece(struct window_pieces *window, struct piece *piece)
{
    spans_remove(&pieces, &piece->span);
    reach_changes++;
    unlink_piece(window, piece);
    clear_pages(piece->reach.low, piece->reach.high);
    free(piece);
}

/* Of many the outline still covers what has gone. */
static void draw_few(void)
{
    if (pieces.count <= DRAWN_AT_ONCE)
        draw();
}

void reach_remove_window(window_t window)
{
    struct window_pieces *of;
    while ((of = pieces_of(window)))
        remove_piece(of, of->first);
    draw_few();
}

struct search {
    const struct reach *wanted;
    struct piece *found;
};

static bool begins_there(void *context, struct span *span)
{
    struct search *search = context;
    struct piece *piece = (struct piece *)span;
    if (span->low == search->wanted->low && piece->reach.window == search->wanted->window)
        search->found = piece;
    return !search->found;
}

void reach_remove_piece(window_t window, uint64_t low)
{
    struct reach wanted = {.low = low, .window = window};
    struct search search = {.wanted = &wanted};
    spans_visit(&pieces, low, low + 1, begins_there, &search);
    if (!search.found)
        return;
    remove_piece(pieces_of(window), search.found);
    draw_few();
}

static bool mark_piece(void *context, struct span *span)
{
    (void)context;
    mark(&((const struct piece *)span)->reach);
    return true;
}

void reach_mark_pages(void)
{
    spans_visit(&pieces, 0, UINT64_MAX, mark_piece, NULL);
}

static bool unmark_piece(void *context, struct span *span)
{
    const struct reach *reach = &((const struct piece *)span)->reach;
    (void)context;
    pages_clear_range(reach->low, reach->high, ACCESS_THREADS);
    return true;
}

void reach_unmark_threads(void)
{
    spans_visit(&pieces, 0, UINT64_MAX, unmark_piece, NULL);
}
