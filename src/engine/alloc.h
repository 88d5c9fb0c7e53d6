/* Memory for the engine: checked, and counted where the engine has to account for it. */
#ifndef REGATTA_ENGINE_ALLOC_H
#define REGATTA_ENGINE_ALLOC_H

#include <stddef.h>

/* malloc, calloc and realloc that do not return without memory: an engine cannot forget an event
 * and stay right. If there is none left it comes from the last resort: a reserve, with which the
 * event can be finished; whoever keeps it knows that it was needed, and uses the engine no more.
 * Only without one (a simulator), or when that is used up, the process ends with one line on
 * standard error. */
void *allocate(size_t size);
void *allocate_zeroed(size_t count, size_t size);
void *reallocate(void *old, size_t size);

/* Gives `size` bytes, with what was in `old` (which it frees) if that is not NULL; NULL: no more.
 */
typedef void *memory_giver(void *old, size_t size);
/* For the whole process, as malloc is. */
void allocate_last_resort(memory_giver *give);

/* Room for one more element in a growing array: doubles the capacity when it is full. */
#define grow_array(array, count, capacity)                                                         \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            (capacity) = (capacity) ? 2 * (capacity) : 8;                                          \
            (array) = reallocate((array), (capacity) * sizeof *(array));                           \
        }                                                                                          \
    } while (0)

/* Equal-sized objects with a free list: no malloc in the steady state. */
struct pool {
    size_t object_size;
    void *free_objects;   /* linked through their first word */
    void *chunks;         /* linked through their first word */
    size_t chunk_objects; /* in the next chunk: few at first, since there may be many pools */
    size_t bytes;         /* held from malloc */
    size_t in_use;
};

void pool_init(struct pool *pool, size_t object_size);
void pool_clear(struct pool *pool);
void *pool_refill(struct pool *pool);

static inline void *pool_take(struct pool *pool)
{
    void *object = pool->free_objects;
    if (!object)
        object = pool_refill(pool);
    pool->free_objects = *(void **)object;
    pool->in_use++;
    return object;
}

static inline void pool_give(struct pool *pool, void *object)
{
    *(void **)object = pool->free_objects;
    pool->free_objects = object;
    pool->in_use--;
}

#endif
