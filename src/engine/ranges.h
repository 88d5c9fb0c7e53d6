/* A set of addresses as ascending ranges, for "is this window memory?".
 *
 * A question costs a binary search. A change costs that and the moving of what lies above it: 16
 * bytes for each range, so that ten thousand pieces of a dynamic window are still a few
 * microseconds. */
#ifndef REGATTA_ENGINE_RANGES_H
#define REGATTA_ENGINE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t low, high; /* [low, high) */
};

struct ranges {
    struct range *list; /* ascending, disjoint, not touching */
    size_t count, capacity;
};

/* Whether [low, high) has a byte in the set; index: the first range that ends above low. */
bool ranges_touch(const struct ranges *ranges, uint64_t low, uint64_t high, size_t *index);

void ranges_add(struct ranges *ranges, uint64_t low, uint64_t high);
void ranges_remove(struct ranges *ranges, uint64_t low, uint64_t high);

/* Adds those bytes of [low, high) that are in `from`. */
void ranges_add_common(struct ranges *ranges, const struct ranges *from, uint64_t low,
                       uint64_t high);

#endif
