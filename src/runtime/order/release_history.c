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
    entry->change.value.known = 0;
    if (!all_over)
        entry->over = RELEASE_NEVER_OVER;
}

size_t release_keep(struct release_entry *entries, size_t count, const struct release_entry *own)
{
    size_t most = count > RELEASE_MOST_ENTRIES / 2 ? 2 : RELEASE_KEPT;
    size_t may_stay = own->change.value.known ? most - 1 : 0, stay = 0, left = 0, oldest = count;
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

/* One whose value is not known may stand for earlier ones, also at neighbouring places. */
static bool is_of_another(const struct release_entry *entry, const struct release_reading *reading)
{
    const struct release_change *change = &entry->change;
    struct release_stamp stamp = release_stamp_of(entry, 0);
    bool later = stamp.actor == reading->own.actor && stamp.stamp > reading->own.stamp;
    return change->value.known && (later || change->address >= reading->address + reading->length ||
                                   reading->address >= change->address + change->length);
}

/* ---- what those under way can have found ---- */

static bool is_open(const struct release_entry *entry)
{
    return !entry->over &&
           (entry->change.value.known == VALUE_LATER || entry->change.value.known == VALUE_MAYBE);
}

/* The values that may have been at a place. */
enum { MOST_VALUES = 64 };
struct values {
    uint64_t list[MOST_VALUES];
    size_t count;
    bool any;
};

static void values_add(struct values *values, uint64_t value)
{
    for (size_t i = 0; i < values->count; i++)
        if (values->list[i] == value)
            return;
    if (values->count == MOST_VALUES)
        values->any = true;
    else
        values->list[values->count++] = value;
}

/* What an update under way makes of what it finds; false: nothing. */
static bool makes_of(const struct release_change *change, uint64_t found, uint64_t *made)
{
    if (change->value.known == VALUE_MAYBE) {
        *made = change->value.bytes;
        return found == change->operand;
    }
    *made = release_value_written(change->op, found, change->operand, change->length).bytes;
    return true;
}

/* What can have been there when the update `entry` was executed, which was published when `fence`
 * was over, if nothing but updates wrote there since: what the fence wrote, or updates that may
 * have come behind it, and what those under way made of that. */
static void values_behind(struct values *values, const struct release_entry *entries, size_t count,
                          const struct release_entry *fence, const struct release_entry *entry,
                          const struct release_reading *reading)
{
    size_t rounds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct release_entry *each = &entries[i];
        bool before = each->over && each->over < fence->published;
        if (each == entry || before || is_of_another(each, reading))
            continue;
        values->any = values->any || each->change.value.known == VALUE_UNKNOWN;
        if (is_open(each))
            rounds++;
        else
            values_add(values, each->change.value.bytes);
    }
    for (; rounds > 0 && !values->any; rounds--) {
        size_t known = values->count;
        for (size_t i = 0; i < count; i++) {
            uint64_t made;
            if (&entries[i] == entry || !is_open(&entries[i]) ||
                is_of_another(&entries[i], reading))
                continue;
            for (size_t k = 0; k < known && !values->any; k++)
                if (makes_of(&entries[i].change, values->list[k], &made))
                    values_add(values, made);
        }
        if (values->count == known)
            return;
    }
}

static bool is_fence(const struct release_entry *fence, const struct release_entry *before)
{
    return fence->change.value.known == VALUE_KNOWN && fence->over &&
           fence->over != RELEASE_NEVER_OVER && fence->over < before->published;
}

/* It is certain that it has not written the value that was read; or, `anything`, that it was no
 * update, at least none that came before the fetch. */
static bool cannot_make(const struct release_entry *entries, size_t count,
                        const struct release_entry *entry, const struct release_reading *reading,
                        bool anything)
{
    if (!reading->news || !is_open(entry))
        return false;
    for (size_t f = 0; f < count; f++) {
        if (!is_fence(&entries[f], entry) || is_of_another(&entries[f], reading) ||
            !(reading->news[f] || reading->quiet(&entries[f], entry)))
            continue;
        struct values found = {.count = 0};
        values_behind(&found, entries, count, &entries[f], entry, reading);
        bool can = found.any;
        for (size_t i = 0; i < found.count && !can; i++) {
            uint64_t made;
            can = makes_of(&entry->change, found.list[i], &made) &&
                  (anything || made == reading->value);
        }
        if (!can)
            return true;
    }
    return false;
}

bool release_is_quiet_between(const struct release_entry *first, const struct release_entry *second)
{
    if (first->nstamps != 1 || second->nstamps != 1)
        return false;
    actor_t actor = release_stamp_of(first, 0).actor;
    bool same = actor == release_stamp_of(second, 0).actor, quiet = false;
    struct clock before = CLOCK_EMPTY, after = CLOCK_EMPTY;
    if (clock_decode(&before, first->clock, first->size) &&
        clock_decode(&after, second->clock, second->size)) {
        time_point then = clock_known(&before, actor), later = clock_known(&after, actor);
        if (!same) {
            quiet = then && !clock_covers(&after, actor, then);
        } else if (second->change.spared && then && later) {
            clock_learn(&before, actor, later);
            quiet = !clock_join(&before, &after);
        }
    }
    clock_clear(&before);
    clock_clear(&after);
    return quiet;
}

/* ---- what a fetch has seen ---- */

static bool may_write(const struct release_entry *entry, const struct release_reading *reading)
{
    const struct release_value *value = &entry->change.value;
    bool any = value->known == VALUE_UNKNOWN || value->known == VALUE_LATER;
    return (any || value->bytes == reading->value) && !is_of_another(entry, reading);
}

static bool can_have_written(const struct release_entry *entries, size_t count, size_t i,
                             const struct release_reading *reading)
{
    return may_write(&entries[i], reading) &&
           !cannot_make(entries, count, &entries[i], reading, false);
}

bool release_needs_news(const struct release_entry *entries, size_t count,
                        const struct release_reading *reading)
{
    for (size_t i = 0; i < count; i++)
        if (is_open(&entries[i]) &&
            (entries[i].change.value.known == VALUE_MAYBE || may_write(&entries[i], reading)))
            return true;
    return false;
}

/* What was published before this can have been executed before the entry was. */
static uint64_t last_before(const struct release_entry *entry)
{
    return entry->over ? entry->over : RELEASE_NEVER_OVER;
}

void release_seen_by(const struct release_entry *entries, size_t count,
                     const struct release_reading *reading, bool *is)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        is[i] = can_have_written(entries, count, i, reading);
        if (is[i] && last_before(&entries[i]) > last)
            last = last_before(&entries[i]);
    }
    for (size_t i = 0; i < count; i++)
        is[i] = is[i] || (entries[i].published < last && !is_of_another(&entries[i], reading) &&
                          !cannot_make(entries, count, &entries[i], reading, true));
}

/* Under way, and its end will be told. */
static bool is_awaited(const struct release_entry *entry, const struct release_reading *reading)
{
    return !entry->over && entry->change.value.known && !is_of_another(entry, reading);
}

/* What is left if an update under way whose value is not known turns out to have written another,
 * and one that has written this value to be over before whatever was published after it. */
static uint64_t least_last(const struct release_entry *entries, size_t count,
                           const struct release_reading *reading, const bool *written)
{
    uint64_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t until = last_before(&entries[i]);
        if (is_awaited(&entries[i], reading))
            until = entries[i].change.value.known == VALUE_KNOWN ? entries[i].published : 0;
        if (written[i] && until > last)
            last = until;
    }
    return last;
}

bool release_awaits(const struct release_entry *entries, size_t count,
                    const struct release_reading *reading)
{
    bool is[RELEASE_MOST_ENTRIES + 1], written[RELEASE_MOST_ENTRIES + 1];
    for (size_t i = 0; i < count; i++)
        written[i] = can_have_written(entries, count, i, reading);
    uint64_t last = least_last(entries, count, reading, written);
    release_seen_by(entries, count, reading, is);
    for (size_t i = 0; i < count; i++) {
        bool certain = written[i] && !(is_awaited(&entries[i], reading) &&
                                       entries[i].change.value.known != VALUE_KNOWN);
        if (is[i] && !certain && entries[i].published >= last)
            return true;
    }
    return false;
}

bool release_all_over(struct release_entry *entries, size_t count, int32_t writer, uint64_t over)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].writer != writer || entries[i].change.value.known ||
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
