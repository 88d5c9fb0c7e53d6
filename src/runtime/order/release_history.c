/* Of the entries of a board: what a new one leaves of them, and which a fetch can have seen. Knows
 * nothing but the entries. */
#include <string.h>

#include "release_boards.h"

struct release_stamp release_stamp_of(const struct release_entry *entry, uint64_t i)
{
    struct release_stamp stamp;
    memcpy(&stamp, entry->stamps + i * sizeof stamp, sizeof stamp);
    return stamp;
}

uint64_t release_count(const struct release_entry *entries, size_t count)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        last = entries[i].published > last ? entries[i].published : last;
        if (entries[i].over != RELEASE_NEVER_OVER && entries[i].over > last)
            last = entries[i].over;
    }
    return last;
}

/* The oldest one that is left stands for those that go, so it may have written anything, and is
 * over when they are. */
static void stand_for(struct release_entry *entry, bool all_over)
{
    entry->value.known = 0;
    if (!all_over)
        entry->over = RELEASE_NEVER_OVER;
}

size_t release_keep(struct release_entry *entries, size_t count, const struct release_entry *own)
{
    size_t most = count > RELEASE_MOST_ENTRIES / 2 ? 2 : RELEASE_KEPT;
    size_t may_stay = own->value.known ? most - 1 : 0, stay = 0, left = 0, oldest = count;
    bool all_over = true;
    for (size_t i = 0; i < count; i++) {
        bool goes = entries[i].writer == own->writer && stay++ >= may_stay;
        if (goes) {
            all_over = all_over && entries[i].over && entries[i].over != RELEASE_NEVER_OVER;
            continue;
        }
        if (entries[i].writer == own->writer)
            oldest = left;
        entries[left++] = entries[i];
    }
    if (left < count && oldest < left)
        stand_for(&entries[oldest], all_over);
    return left;
}

/* One whose value is not known may stand for earlier ones. */
static bool is_later(const struct release_entry *entry, struct release_stamp own)
{
    struct release_stamp stamp = release_stamp_of(entry, 0);
    return entry->value.known && stamp.actor == own.actor && stamp.stamp > own.stamp;
}

void release_seen_by(const struct release_entry *entries, size_t count, uint64_t value,
                     struct release_stamp own, bool *is)
{
    uint64_t last = 0; /* what was published before this can have been seen */
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        is[i] = (entries[i].value.known != VALUE_KNOWN || entries[i].value.bytes == value) &&
                !is_later(&entries[i], own);
        if (!is[i])
            continue;
        found = true;
        if (!entries[i].over)
            last = RELEASE_NEVER_OVER;
        else if (entries[i].over > last)
            last = entries[i].over;
    }
    for (size_t i = 0; i < count; i++)
        is[i] = !found || is[i] || entries[i].published < last;
}
