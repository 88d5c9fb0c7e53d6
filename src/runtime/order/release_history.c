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

static bool can_have_written(const struct release_entry *entry, uint64_t value,
                             struct release_stamp own)
{
    bool any = entry->value.known == VALUE_UNKNOWN || entry->value.known == VALUE_LATER;
    return (any || entry->value.bytes == value) && !is_later(entry, own);
}

/* What was published before this can have been executed before the entry was. */
static uint64_t last_before(const struct release_entry *entry)
{
    return entry->over ? entry->over : RELEASE_NEVER_OVER;
}

void release_seen_by(const struct release_entry *entries, size_t count, uint64_t value,
                     struct release_stamp own, bool *is)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        is[i] = can_have_written(&entries[i], value, own);
        if (is[i] && last_before(&entries[i]) > last)
            last = last_before(&entries[i]);
    }
    for (size_t i = 0; i < count; i++)
        is[i] = is[i] || entries[i].published < last;
}

/* Under way, and its end will be told. */
static bool is_awaited(const struct release_entry *entry, struct release_stamp own)
{
    return !entry->over && entry->value.known && !is_later(entry, own);
}

/* What is left if an update under way whose value is not known turns out to have written another,
 * and one that has written this value to be over before whatever was published after it. */
static uint64_t least_last(const struct release_entry *entries, size_t count, uint64_t value,
                           struct release_stamp own)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t until = last_before(&entries[i]);
        if (is_awaited(&entries[i], own))
            until = entries[i].value.known == VALUE_KNOWN ? entries[i].published : 0;
        if (can_have_written(&entries[i], value, own) && until > last)
            last = until;
    }
    return last;
}

bool release_awaits(const struct release_entry *entries, size_t count, uint64_t value,
                    struct release_stamp own)
{
    bool is[RELEASE_MOST_ENTRIES + 1];
    uint64_t last = least_last(entries, count, value, own);
    release_seen_by(entries, count, value, own, is);
    for (size_t i = 0; i < count; i++) {
        bool written = can_have_written(&entries[i], value, own) &&
                       !(is_awaited(&entries[i], own) && entries[i].value.known != VALUE_KNOWN);
        if (is[i] && !written && entries[i].published >= last)
            return true;
    }
    return false;
}

bool release_all_over(struct release_entry *entries, size_t count, int32_t writer, uint64_t over)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].writer != writer || entries[i].value.known ||
            (entries[i].over && entries[i].over != RELEASE_NEVER_OVER))
            continue;
        entries[i].over = over;
        any = true;
    }
    return any;
}

size_t release_leave_until(struct release_entry *entries, size_t count, uint64_t until)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (entries[i].published <= until)
            entries[left++] = entries[i];
    return left;
}
