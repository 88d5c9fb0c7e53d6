/* A number for each of many values: an open table of pairs, since a hash of separate entries costs
 * an allocation and two cache misses per value of a large program. */
#ifndef REGATTA_ANALYZE_VALUE_MAP_H
#define REGATTA_ANALYZE_VALUE_MAP_H

#include "grow.h"

#include <stdint.h>

struct value_map {
    struct value_map_entry {
        const void *key; /* NULL: free */
        uint32_t number;
    } *entries;
    size_t count, room; /* room is a power of two */
};

#define VALUE_MAP_NONE UINT32_MAX

static inline size_t value_map_slot(const struct value_map *map, const void *key)
{
    /* The low bits of an address are alignment. */
    uint64_t hash = (uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15u;
    size_t slot = (size_t)(hash >> 20) & (map->room - 1);
    while (map->entries[slot].key && map->entries[slot].key != key)
        slot = (slot + 1) & (map->room - 1);
    return slot;
}

static inline uint32_t value_map_get(const struct value_map *map, const void *key)
{
    if (!map->room)
        return VALUE_MAP_NONE;
    const struct value_map_entry *entry = &map->entries[value_map_slot(map, key)];
    return entry->key ? entry->number : VALUE_MAP_NONE;
}

/* The key must not be in the map yet. */
static inline void value_map_add(struct value_map *map, const void *key, uint32_t number)
{
    if (map->count * 2 >= map->room) {
        struct value_map old = *map;
        map->room = old.room ? old.room * 2 : 64;
        map->entries = checked(calloc(map->room, sizeof *map->entries));
        for (size_t i = 0; i < old.room; i++)
            if (old.entries[i].key)
                map->entries[value_map_slot(map, old.entries[i].key)] = old.entries[i];
        free(old.entries);
    }
    map->entries[value_map_slot(map, key)] = (struct value_map_entry){key, number};
    map->count++;
}

static inline void value_map_drop(struct value_map *map)
{
    free(map->entries);
    *map = (struct value_map){0};
}

#endif
