/* Buffers in use: the bytes that MPI may still read or write, from a nonblocking call to its
 * completion.
 *
 * Cost: adding and removing one contiguous buffer is two walks down a balanced tree, without malloc
 * in the steady state. The caller holds a lock around every call. */
#ifndef REGATTA_ENGINE_INUSE_H
#define REGATTA_ENGINE_INUSE_H

#include <stdbool.h>
#include <stddef.h>
#include "section.h"

struct inuse;        /* the map */
struct inuse_buffer; /* one buffer in use */

struct inuse *inuse_create(void);
void inuse_destroy(struct inuse *map);

/* From now on MPI may access these bytes (sections are copied). `owner` is given back by the
 * visitor. n may be 0. The result is valid until inuse_remove. */
struct inuse_buffer *inuse_add(struct inuse *map, const struct section *sections, size_t n,
                               enum buffer_access access, void *owner);
void inuse_remove(struct inuse *map, struct inuse_buffer *buffer);
/* The same bytes and access as a buffer of another map. */
struct inuse_buffer *inuse_add_same(struct inuse *map, const struct inuse_buffer *like,
                                    void *owner);

/* The range of addresses that its bytes lie in; false if it has none. */
bool inuse_extent(const struct inuse_buffer *buffer, uint64_t *low, uint64_t *high);

/* Whether the two were added with the same sections and the same access. */
bool inuse_same(const struct inuse_buffer *a, const struct inuse_buffer *b);

/* Every buffer in use that conflicts with this access (same bytes, at least one side writes), each
 * once; `common` is the lowest shared run. The visitor returns false to stop and must not change
 * the map. */
typedef bool inuse_visitor(void *context, void *owner, enum buffer_access access,
                           const struct section *common);
void inuse_conflicts(const struct inuse *map, const struct section *sections, size_t n,
                     enum buffer_access access, inuse_visitor *visit, void *context);

/* For an access [start, end) that conflicts with nothing: narrows [*low, *high), which contains it,
 * to the bytes around it with which an access of that kind conflicts neither. */
void inuse_gap(const struct inuse *map, uint64_t start, uint64_t end, enum buffer_access access,
               uint64_t *low, uint64_t *high);

/* Whether a buffer in use may have bytes in [low, high): gaps of strided buffers count. */
bool inuse_near(const struct inuse *map, uint64_t low, uint64_t high);

/* The range of addresses of every section in use. */
typedef void inuse_range_visitor(void *context, uint64_t low, uint64_t high);
void inuse_ranges(const struct inuse *map, inuse_range_visitor *visit, void *context);

/* The fast path of every blocking MPI call: a load and a test. */
struct inuse_head {
    size_t buffers;
};

static inline bool inuse_empty(const struct inuse *map)
{
    return ((const struct inuse_head *)map)->buffers == 0;
}

#endif
