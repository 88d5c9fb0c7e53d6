/* Memory that is given back all at once. Arrays grow by moving to the end; what they leave behind
 * is at most as much as they are. */
#ifndef REGATTA_ANALYZE_ARENA_H
#define REGATTA_ANALYZE_ARENA_H

#include "grow.h"

struct arena {
    struct arena_chunk {
        struct arena_chunk *next;
        max_align_t start[];
    } *chunks;
    char *at, *end;
};

static inline void *arena_take(struct arena *arena, size_t size)
{
    enum { CHUNK = 1 << 18 };
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(arena->end - arena->at) < size) {
        size_t room = size > CHUNK ? size : CHUNK;
        struct arena_chunk *chunk = checked(malloc(sizeof *chunk + room));
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->at = (char *)chunk->start;
        arena->end = arena->at + room;
    }
    void *memory = arena->at;
    arena->at += size;
    return memory;
}

static inline void arena_drop(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (struct arena){0};
}

#endif
