/* uthash with a hash function for keys of one or two words, which ours are: 15 instructions instead
 * of the 90 of uthash's own. And with memory that is always given (alloc.h), since uthash ends the
 * process without it. */
#ifndef REGATTA_ENGINE_TABLE_H
#define REGATTA_ENGINE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "alloc.h"

static inline unsigned table_hash(const void *key, size_t size)
{
    const unsigned char *at = key;
    uint64_t hash = size, word;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    if (size) {
        word = 0;
        memcpy(&word, at, size);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (unsigned)hash;
}

#define HASH_FUNCTION(key, size, hash) ((hash) = table_hash(key, size))
#define uthash_malloc(size) allocate(size)
#include <uthash.h>

#endif
