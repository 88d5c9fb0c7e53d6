/* What fences and posts assert about this rank's window memory (MPI-4.0 §12.5.5).
 *
 * MPI_MODE_NOSTORE denies that this process wrote it since its last synchronisation call on the
 * window, by a store, or by a receive or get into it: the shadow and the history of buffers know
 * when that was. Looking costs nothing unless something was stored since then anywhere; then a look
 * at each page of the window. Of what has been forgotten meanwhile nothing is said, nor of stores
 * by other threads.
 * MPI_MODE_NOPUT excludes puts and accumulates in the epoch that follows: checked as they arrive.
 */
#include "internal.h"

static struct access caller(const struct engine *engine, const struct thread_state *thread,
                            const struct promise *promise)
{
    return (struct access){.kind = ACCESS_KINDS,
                           .rank = engine->config.rank,
                           .thread = thread ? thread->number : 0,
                           .site = promise->site & (SITE_LIMIT - 1)};
}

/* ---- NOSTORE ---- */

struct denial {
    struct engine *engine;
    const struct thread_state *thread;
    const struct window_state *window;
    struct access promised;
};

static void report_write(const struct denial *denial, const struct access *write,
                         const struct section *bytes)
{
    findings_add(denial->engine, MISUSE_NO_STORE, write, &denial->promised, denial->window->id,
                 bytes);
}

static void check_granule(const struct denial *denial, const struct shadow_page *page,
                          uint64_t granule, uint8_t mask)
{
    const struct shadow_entry *entries = denial->engine->shadow.entries;
    for (uint32_t state = *shadow_state_at(page, true, granule); state;
         state = entries[state].next) {
        const struct shadow_entry *entry = &entries[state];
        if (!(entry_mask(entry) & mask) || entry_thread(entry) != denial->thread->number ||
            (entry->time <= denial->window->synchronised && !MUTANT(promise_since_ever)))
            continue;
        struct access store = {.kind = ACCESS_STORE,
                               .rank = denial->engine->config.rank,
                               .thread = entry_thread(entry),
                               .site = entry->word & (SITE_LIMIT - 1)};
        unsigned first = (unsigned)__builtin_ctz(entry_mask(entry) & mask);
        report_write(denial, &store, &(struct section){granule + first, 1, 0, 1});
    }
}

static void check_stores(const struct denial *denial, uint64_t low, uint64_t high)
{
    while (low < high) {
        uint64_t page_end = ((low >> PAGE_SHIFT) + 1) << PAGE_SHIFT;
        uint64_t end = page_end && page_end < high ? page_end : high;
        const struct shadow_page *page = shadow_find(&denial->engine->shadow, low);
        if (page && page->noted[true] > denial->window->synchronised)
            for (uint64_t granule = low & ~(uint64_t)7; granule < end; granule += 8)
                check_granule(denial, page, granule, granule_mask(granule, low, end));
        low = end;
    }
}

static bool check_buffer(void *context, struct span *span)
{
    const struct denial *denial = context;
    const struct node *node = (struct node *)span;
    struct section bytes;
    if (node->access.kind == ACCESS_BUFFER_WRITE &&
        (node->state == NODE_BUFFER_OPEN || node->end > denial->window->synchronised)) {
        bytes = (struct section){node->section.start, node->section.length, 0, 1};
        report_write(denial, &node->access, &bytes);
    }
    return true;
}

static void check_denial(struct engine *engine, struct thread_state *thread,
                         const struct window_state *window, const struct promise *promise)
{
    struct denial denial = {engine, thread, window, caller(engine, thread, promise)};
    for (size_t i = 0; i < window->memory.count; i++) {
        const struct range *range = &window->memory.list[i];
        if (engine->shadow.last_store > window->synchronised)
            check_stores(&denial, range->low, range->high);
        spans_visit(&engine->history.spans, range->low, range->high, check_buffer, &denial);
    }
}

void promise_given(struct engine *engine, struct thread_state *thread, struct window_state *window,
                   const struct promise *promise)
{
    if (thread
            ->number) { /* times of different threads do not compare: all of thread 0's until now */
        window->synchronised = thread_of(engine, 0)->now;
        return;
    }
    if (promise && promise->no_store && !engine->exhausted)
        check_denial(engine, thread, window, promise);
    window->synchronised = thread_end_event(engine, thread);
    thread_advance(engine, thread); /* stores from here on are later */
}

void engine_synchronised(struct engine *engine, uint32_t thread, window_t id)
{
    struct window_state *window = window_find(engine, id);
    if (window)
        promise_given(engine, thread_of(engine, thread), window, NULL);
}

/* ---- NOPUT ---- */

void promise_check(struct engine *engine, const struct promise *promise, const struct node *node)
{
    if (!promise->no_put ||
        (!access_writes_target(node->access.kind, node->access.op) && !MUTANT(promise_of_gets)))
        return;
    struct access promised = caller(engine, NULL, promise);
    struct section bytes = {node->section.start, node->section.length, 0, 1};
    findings_add(engine, MISUSE_NO_PUT, &promised, &node->access, node->window, &bytes);
}
