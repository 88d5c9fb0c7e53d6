#include "alloc.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static memory_giver *last_resort;

void allocate_last_resort(memory_giver *give)
{
    last_resort = give;
}

static void *from_last_resort(void *old, size_t size)
{
    void *memory = last_resort ? last_resort(old, size) : NULL;
    if (memory)
        return memory;
    static const char line[] = "regatta: out of memory in the race engine\n";
    ssize_t ignored = write(2, line, sizeof line - 1);
    (void)ignored;
    abort();
}

void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    return memory ? memory : from_last_resort(NULL, size ? size : 1);
}

void *allocate_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (memory)
        return memory;
    size_t bytes;
    if (__builtin_mul_overflow(count ? count : 1, size ? size : 1, &bytes))
        bytes = SIZE_MAX;
    return memset(from_last_resort(NULL, bytes), 0, bytes);
}

void *reallocate(void *old, size_t size)
{
    void *memory = realloc(old, size ? size : 1);
    return memory ? memory : from_last_resort(old, size ? size : 1);
}

enum { FIRST_CHUNK = 8, LARGEST_CHUNK = 256 };

void pool_init(struct pool *pool, size_t object_size)
{
    *pool = (struct pool){.object_size = (object_size + 15) & ~(size_t)15,
                          .chunk_objects = FIRST_CHUNK};
}

void pool_clear(struct pool *pool)
{
    while (pool->chunks) {
        void *next = *(void **)pool->chunks;
        free(pool->chunks);
        pool->chunks = next;
    }
    pool_init(pool, pool->object_size);
}

/* Links a fresh chunk into the free list, lowest address first, and gives its head. */
void *pool_refill(struct pool *pool)
{
    size_t count = pool->chunk_objects;
    if (count < LARGEST_CHUNK)
        pool->chunk_objects = 2 * count;
    size_t size = 16 + count * pool->object_size;
    char *chunk = allocate(size);
    *(void **)chunk = pool->chunks;
    pool->chunks = chunk;
    pool->bytes += size;
    for (size_t i = count; i-- > 0;) {
        void *object = chunk + 16 + i * pool->object_size;
        *(void **)object = pool->free_objects;
        pool->free_objects = object;
    }
    return pool->free_objects;
}
