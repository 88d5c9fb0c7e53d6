#include "inuse.h"
#include <stdlib.h>
#include "alloc.h"
#include "spans.h"

/* One section of a buffer, in the tree of its access. */
struct piece {
    struct span span; /* first: a span is its piece */
    struct section section;
    struct inuse_buffer *buffer;
    struct piece *next; /* of the same buffer */
};

struct inuse_buffer {
    struct piece first; /* most buffers have one section */
    struct piece *more;
    void *owner;
    enum buffer_access access;
    bool has_bytes;
    /* While a question is being answered: */
    uint64_t question; /* the last one that hit this buffer */
    struct section common;
    struct inuse_buffer *next_hit;
};

/* Reads and writes stand in two trees, so that a read never walks over other reads: a load cannot
 * conflict with the send buffers in flight, which are usually the majority. */
struct inuse {
    struct inuse_head head; /* first: inuse_empty looks at it */
    struct spans spans[2];  /* by enum buffer_access */
    struct pool buffers, pieces;
    uint64_t questions;
};

struct inuse *inuse_create(void)
{
    struct inuse *map = allocate_zeroed(1, sizeof *map);
    pool_init(&map->buffers, sizeof(struct inuse_buffer));
    pool_init(&map->pieces, sizeof(struct piece));
    return map;
}

void inuse_destroy(struct inuse *map)
{
    if (!map)
        return;
    pool_clear(&map->buffers);
    pool_clear(&map->pieces);
    free(map);
}

static void enter_piece(struct inuse *map, struct inuse_buffer *buffer, struct piece *piece,
                        const struct section *section)
{
    piece->section = *section;
    piece->buffer = buffer;
    piece->span.low = section->start;
    piece->span.high = section_end(section);
    spans_insert(&map->spans[buffer->access], &piece->span);
}

struct inuse_buffer *inuse_add(struct inuse *map, const struct section *sections, size_t n,
                               enum buffer_access access, void *owner)
{
    struct inuse_buffer *buffer = pool_take(&map->buffers);
    buffer->owner = owner;
    buffer->access = access;
    buffer->more = NULL;
    buffer->question = 0;
    buffer->has_bytes = n > 0;
    if (n > 0)
        enter_piece(map, buffer, &buffer->first, &sections[0]);
    for (size_t i = 1; i < n; i++) {
        struct piece *piece = pool_take(&map->pieces);
        enter_piece(map, buffer, piece, &sections[i]);
        piece->next = buffer->more;
        buffer->more = piece;
    }
    map->head.buffers++;
    return buffer;
}

struct inuse_buffer *inuse_add_same(struct inuse *map, const struct inuse_buffer *like, void *owner)
{
    struct inuse_buffer *buffer =
        inuse_add(map, &like->first.section, like->has_bytes, like->access, owner);
    for (const struct piece *other = like->more; other; other = other->next) {
        struct piece *piece = pool_take(&map->pieces);
        enter_piece(map, buffer, piece, &other->section);
        piece->next = buffer->more;
        buffer->more = piece;
    }
    return buffer;
}

void inuse_remove(struct inuse *map, struct inuse_buffer *buffer)
{
    if (buffer->has_bytes)
        spans_remove(&map->spans[buffer->access], &buffer->first.span);
    while (buffer->more) {
        struct piece *piece = buffer->more;
        buffer->more = piece->next;
        spans_remove(&map->spans[buffer->access], &piece->span);
        pool_give(&map->pieces, piece);
    }
    pool_give(&map->buffers, buffer);
    map->head.buffers--;
}

bool inuse_extent(const struct inuse_buffer *buffer, uint64_t *low, uint64_t *high)
{
    *low = buffer->first.span.low;
    *high = buffer->first.span.high;
    for (const struct piece *piece = buffer->more; piece; piece = piece->next) {
        if (piece->span.low < *low)
            *low = piece->span.low;
        if (piece->span.high > *high)
            *high = piece->span.high;
    }
    return buffer->has_bytes;
}

static bool same_section(const struct section *a, const struct section *b)
{
    return a->start == b->start && a->length == b->length && a->count == b->count &&
           a->stride == b->stride;
}

bool inuse_same(const struct inuse_buffer *a, const struct inuse_buffer *b)
{
    if (a->access != b->access || a->has_bytes != b->has_bytes)
        return false;
    if (a->has_bytes && !same_section(&a->first.section, &b->first.section))
        return false;
    const struct piece *piece = a->more, *other = b->more;
    while (piece && other && same_section(&piece->section, &other->section)) {
        piece = piece->next;
        other = other->next;
    }
    return !piece && !other;
}

struct question {
    uint64_t number;
    const struct section *section;
    struct inuse_buffer *hits, **last;
};

static bool hit_piece(void *context, struct span *span)
{
    struct question *question = context;
    struct piece *piece = (struct piece *)span;
    struct inuse_buffer *buffer = piece->buffer;
    struct section common;
    if (!section_overlaps(&piece->section, question->section, &common))
        return true;
    if (buffer->question != question->number) {
        buffer->question = question->number;
        buffer->common = common;
        buffer->next_hit = NULL;
        *question->last = buffer;
        question->last = &buffer->next_hit;
    } else if (common.start < buffer->common.start) {
        buffer->common = common;
    }
    return true;
}

void inuse_conflicts(const struct inuse *map, const struct section *sections, size_t n,
                     enum buffer_access access, inuse_visitor *visit, void *context)
{
    if (inuse_empty(map) || n == 0)
        return;
    /* Only the marks on buffers change: they are no part of what the map means. */
    struct question question = {.number = ++((struct inuse *)(uintptr_t)map)->questions};
    question.last = &question.hits;
    for (size_t i = 0; i < n; i++) {
        question.section = &sections[i];
        uint64_t low = sections[i].start, high = section_end(&sections[i]);
        spans_visit(&map->spans[BUFFER_WRITE], low, high, hit_piece, &question);
        if (access == BUFFER_WRITE)
            spans_visit(&map->spans[BUFFER_READ], low, high, hit_piece, &question);
    }
    for (struct inuse_buffer *hit = question.hits; hit; hit = hit->next_hit)
        if (!visit(context, hit->owner, hit->access, &hit->common))
            return;
}

struct gap {
    uint64_t start, end; /* the access */
    uint64_t *low, *high;
};

static bool narrow_gap(void *context, struct span *span)
{
    struct gap *gap = context;
    const struct section *section = &((struct piece *)span)->section;
    uint64_t before = section_end(section), after = section->start; /* of the nearest blocks */
    bool has_before = before <= gap->start, has_after = after >= gap->end;
    if (!has_before && !has_after) { /* between two blocks of a strided section */
        uint64_t block = (gap->start - section->start) / section->stride;
        before = section->start + block * section->stride + section->length;
        after = section->start + (block + 1) * section->stride;
        has_before = has_after = true;
    }
    if (has_before && before > *gap->low)
        *gap->low = before;
    if (has_after && after < *gap->high)
        *gap->high = after;
    return true;
}

void inuse_gap(const struct inuse *map, uint64_t start, uint64_t end, enum buffer_access access,
               uint64_t *low, uint64_t *high)
{
    struct gap gap = {start, end, low, high};
    uint64_t from = *low, to = *high;
    spans_visit(&map->spans[BUFFER_WRITE], from, to, narrow_gap, &gap);
    if (access == BUFFER_WRITE)
        spans_visit(&map->spans[BUFFER_READ], from, to, narrow_gap, &gap);
}

static bool stop_at_first(void *context, struct span *span)
{
    (void)span;
    *(bool *)context = true;
    return false;
}

bool inuse_near(const struct inuse *map, uint64_t low, uint64_t high)
{
    bool found = false;
    if (!inuse_empty(map) &&
        spans_visit(&map->spans[BUFFER_WRITE], low, high, stop_at_first, &found))
        spans_visit(&map->spans[BUFFER_READ], low, high, stop_at_first, &found);
    return found;
}

struct range_visit {
    inuse_range_visitor *visit;
    void *context;
};

static bool visit_range(void *context, struct span *span)
{
    struct range_visit *ranges = context;
    ranges->visit(ranges->context, span->low, span->high);
    return true;
}

void inuse_ranges(const struct inuse *map, inuse_range_visitor *visit, void *context)
{
    struct range_visit ranges = {visit, context};
    for (int access = BUFFER_READ; access <= BUFFER_WRITE; access++)
        spans_visit(&map->spans[access], 0, UINT64_MAX, visit_range, &ranges);
}
