#include "window_buffers.h"

#include <stdlib.h>

#include "clocks.h"
#include "crossings.h"
#include "engine/engine.h"
#include "engine/table.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"
#include "operations.h"
#include "reach.h"
#include "releases.h"
#include "session.h"
#include "window_accesses.h"

void window_buffer_touched(const struct call *call, const struct section *sections, size_t n,
                           bool write)
{
    for (size_t i = 0; i < n; i++)
        if (reach_touches(sections[i].start, section_end(&sections[i])))
            window_touched(&sections[i], write,
                           site_recorded_call(stack_take(call->caller, call->frame), call->routine,
                                              call->routine));
}

/* A buffer in use that lies in other ranks' segments. The engine knows buffers in use in own memory
 * only, so there two moments of the time in which MPI may touch the bytes are told as loads or
 * stores: the first, and the last if this process sees it. Who is not ordered with the whole is not
 * ordered with one of the two, unless it learns of the first and is heard of before the last. That
 * can miss a race and cannot invent one. */
struct segment_piece {
    window_t
        window; /* may be freed meanwhile: then the engine knows nothing by this name any more */
    uint32_t owner;
    struct section section; /* from the start of the segment */
};

struct segment_buffer {
    uint64_t number;
    uint64_t own; /* the engine's number for what lies in own window memory */
    site_t site;
    bool write;
    struct segment_piece *pieces;
    size_t n, room;
    UT_hash_handle hh;
};

#define SEGMENT_BUFFER (UINT64_C(1) << 63) /* the engine's numbers are below */

/* Those in use now. Needs the session's lock, as all here. */
static struct {
    struct segment_buffer *in_use; /* by number */
    uint64_t numbers;              /* given so far */
} segments = {.numbers = SEGMENT_BUFFER};

struct segment_search {
    const struct section *section;
    struct segment_buffer found;
};

static bool add_segment(void *context, const struct reach *reach)
{
    struct segment_search *search = context;
    struct segment_buffer *found = &search->found;
    struct section clipped[3];
    if (reach->owner == (uint32_t)session.rank)
        return true;
    size_t n = section_clip(search->section, reach->low, reach->high, clipped);
    if (found->n + n > found->room) {
        size_t room = 2 * (found->n + n);
        struct segment_piece *larger = realloc(found->pieces, room * sizeof *larger);
        if (!larger)
            return false;
        found->pieces = larger;
        found->room = room;
    }
    for (size_t i = 0; i < n; i++) {
        clipped[i].start -= reach->low;
        found->pieces[found->n++] = (struct segment_piece){reach->window, reach->owner, clipped[i]};
    }
    return true;
}

static void tell_moment(const struct segment_buffer *buffer)
{
    releases_outdate();
    for (size_t i = 0; i < buffer->n; i++) {
        const struct segment_piece *piece = &buffer->pieces[i];
        engine_direct(session.engine, acting(), piece->window, piece->owner, &piece->section,
                      buffer->write, buffer->site);
    }
}

/* Without memory for it there is only the first moment. */
static uint64_t keep_segments(const struct segment_buffer *found)
{
    struct segment_buffer *buffer = malloc(sizeof *buffer);
    if (!buffer) {
        free(found->pieces);
        return found->own;
    }
    *buffer = *found;
    buffer->number = ++segments.numbers;
    HASH_ADD(hh, segments.in_use, number, sizeof buffer->number, buffer);
    return buffer->number;
}

uint64_t window_buffer_begin(const struct operation *operation, const struct section *sections,
                             size_t n, bool write)
{
    bool window_memory = false;
    for (size_t i = 0; i < n; i++)
        window_memory |= reach_touches(sections[i].start, section_end(&sections[i]));
    if (!window_memory)
        return 0;
    struct segment_search search = {
        .found = {.site = site_recorded_call(operation->stack, operation->at, operation->routine),
                  .write = write}};
    for (size_t i = 0; i < n; i++) {
        search.section = &sections[i];
        reach_visit(sections[i].start, section_end(&sections[i]), add_segment, &search);
    }
    tell_moment(&search.found);
    search.found.own =
        engine_buffer_begin(session.engine, acting(), sections, n, write, search.found.site);
    return search.found.n ? keep_segments(&search.found) : search.found.own;
}

static void buffer_over(uint64_t number, bool seen)
{
    struct segment_buffer *buffer = NULL;
    if (number & SEGMENT_BUFFER)
        HASH_FIND(hh, segments.in_use, &number, sizeof number, buffer);
    if (buffer && seen)
        tell_moment(buffer);
    uint64_t own = buffer ? buffer->own : number;
    if (own)
        engine_buffer_end(session.engine, acting(), own);
    if (!buffer)
        return;
    HASH_DEL(segments.in_use, buffer);
    free(buffer->pieces);
    free(buffer);
}

void window_buffer_end(uint64_t buffer)
{
    buffer_over(buffer, true);
}

void window_buffer_forget(uint64_t buffer)
{
    buffer_over(buffer, false);
}
