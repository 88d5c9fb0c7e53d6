/* Which memory of a dynamic window was attached when, and operations on memory that was not.
 *
 * An operation must know of the attach: if the target attaches the memory at some time that nothing
 * orders with the operation, it was luck that it came first (MPI-4.0 §12.2.4). And it must not know
 * of the detach. What it is merely concurrent with is left to the rule for memory given back.
 * Attachments that have ended are kept until a world-wide synchronisation: operations that were
 * issued before may still arrive. Of a program that never has one the oldest go; from then on
 * memory that no attachment covers may have been, and nothing is said of it. */
#include <stdlib.h>
#include "internal.h"

enum { DETACHED_KEPT = 256 };

void attached_add(struct engine *engine, struct window_state *window, uint32_t thread, uint64_t low,
                  uint64_t high)
{
    struct attachments *all = &window->attachments;
    time_point time = thread_end_event(engine, thread_of(engine, thread));
    if (high <= low)
        return;
    if (!all->spans)
        all->spans = allocate_zeroed(1, sizeof *all->spans);
    struct attachment *attachment = allocate_zeroed(1, sizeof *attachment);
    attachment->span.low = low;
    attachment->span.high = high;
    attachment->thread = thread;
    attachment->attached = time;
    spans_insert(all->spans, &attachment->span);
}

static void forget_from(struct attachments *all, struct attachment *first)
{
    while (first) {
        struct attachment *next = first->next;
        spans_remove(all->spans, &first->span);
        free(first);
        all->detached_count--;
        first = next;
    }
}

/* The newer half stays. */
static void forget_oldest(struct attachments *all)
{
    struct attachment *last = all->detached;
    for (size_t i = 1; i < DETACHED_KEPT / 2; i++)
        last = last->next;
    forget_from(all, last->next);
    last->next = NULL;
    all->forgotten = true;
}

struct search {
    uint64_t low;
    struct attachment *found;
};

static bool is_attached_at(void *context, struct span *span)
{
    struct search *search = context;
    struct attachment *attachment = (struct attachment *)span;
    if (span->low == search->low && !attachment->detached)
        search->found = attachment;
    return !search->found;
}

void attached_end(struct engine *engine, struct window_state *window, uint32_t thread, uint64_t low)
{
    struct attachments *all = &window->attachments;
    struct search search = {.low = low};
    time_point time = thread_end_event(engine, thread_of(engine, thread));
    if (all->spans)
        spans_visit(all->spans, low, low + 1, is_attached_at, &search);
    if (!search.found)
        return;
    search.found->detached = time;
    search.found->detacher = thread;
    search.found->next = all->detached;
    all->detached = search.found;
    if (++all->detached_count > DETACHED_KEPT)
        forget_oldest(all);
}

/* ---- operations ---- */

struct cover {
    const struct engine *engine;
    const struct clock *start;
    uint64_t until; /* all bytes up to here, from the one that was asked for */
};

static bool extend_cover(void *context, struct span *span)
{
    struct cover *cover = context;
    const struct attachment *attachment = (struct attachment *)span;
    uint32_t rank = cover->engine->config.rank;
    bool knows_attach = clock_knows_event(cover->engine, cover->start,
                                          actor_of(rank, attachment->thread), attachment->attached);
    bool knows_detach =
        attachment->detached &&
        clock_knows_event(cover->engine, cover->start, actor_of(rank, attachment->detacher),
                          attachment->detached);
    if ((knows_attach || MUTANT(attached_by_luck)) &&
        (!knows_detach || MUTANT(detached_is_there)) && span->high > cover->until)
        cover->until = span->high;
    return true;
}

/* The first byte of [low, high) that the operation does not know to be attached; `high`: none. */
static uint64_t first_uncovered(const struct cover *with, const struct spans *spans, uint64_t low,
                                uint64_t high)
{
    struct cover cover = *with;
    while (low < high) {
        cover.until = low;
        spans_visit(spans, low, low + 1, extend_cover, &cover);
        if (cover.until == low)
            return low;
        low = cover.until;
    }
    return high;
}

void attached_check(struct engine *engine, const struct window_state *window,
                    const struct node *node, const struct clock *start)
{
    static const struct spans none;
    const struct attachments *all = &window->attachments;
    const struct spans *spans = all->spans ? all->spans : &none;
    const struct section *section = &node->section;
    struct cover cover = {.engine = engine, .start = start};
    if (all->forgotten || first_uncovered(&cover, spans, section->start, section_end(section)) ==
                              section_end(section))
        return;
    for (uint64_t block = 0; block < section->count; block++) {
        uint64_t low = section->start + block * section->stride, high = low + section->length;
        uint64_t at = first_uncovered(&cover, spans, low, high);
        if (at == high)
            continue;
        struct access nobody = {.kind = ACCESS_KINDS};
        struct section bytes = {at, high - at, 0, 1};
        findings_add(engine, MISUSE_UNATTACHED, &node->access, &nobody, node->window, &bytes);
        return;
    }
}

/* ---- ends ---- */

void attached_forget_past(struct window_state *window)
{
    struct attachments *all = &window->attachments;
    forget_from(all, all->detached);
    all->detached = NULL;
    all->forgotten = false;
}

static bool first_of_all(void *context, struct span *span)
{
    *(struct span **)context = span;
    return false;
}

void attached_clear(struct window_state *window)
{
    struct attachments *all = &window->attachments;
    struct span *span;
    if (!all->spans)
        return;
    while (!spans_visit(all->spans, 0, UINT64_MAX, first_of_all, &span)) {
        spans_remove(all->spans, span);
        free(span);
    }
    free(all->spans);
}
