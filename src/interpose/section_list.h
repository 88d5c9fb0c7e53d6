/* Lists of sections that grow by repeating patterns: the arithmetic behind datatype layouts.
 *
 * Everything here keeps the set of bytes exact and the list short. A start may be negative
 * relative to the buffer (lower bounds, negative strides); it is then kept in two's complement, and
 * all comparisons of starts are signed. Sections of one list may overlap where a datatype's own
 * pieces do: a list is the union of its sections. */
#ifndef REGATTA_INTERPOSE_SECTION_LIST_H
#define REGATTA_INTERPOSE_SECTION_LIST_H

#include "engine/section.h"

struct section_list {
    struct section *at;
    size_t count;
    size_t room;
    bool
        fixed; /* `at` belongs to the caller: count goes on beyond room, nothing is written there */
    bool failed; /* out of memory, too many sections, or addresses beyond 63 bits */
};

/* No list holds more sections than this (128 MiB): a larger one fails. */
#define SECTION_LIST_MAX ((size_t)1 << 22)

void section_list_free(struct section_list *list);

/* Appends the bytes of `pattern` and of its copies `distance`, 2 * `distance` … bytes further,
 * `times` in all. Touching and overlapping copies become longer blocks, two equal steps become one;
 * else a pattern of c blocks repeated n times costs min(c, n) sections. */
void section_list_repeat(struct section_list *list, const struct section *pattern, uint64_t times,
                         int64_t distance);

/* Describes the same bytes by fewer sections if it can: unites what touches and turns equally
 * spaced equal sections into strided ones. Sorts by start. O(n log n). */
void section_list_compact(struct section_list *list);

#endif
