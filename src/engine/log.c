#include "log.h"
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "mutants.h"

void snapshot_drop(struct snapshot *snapshot)
{
    if (snapshot && --snapshot->references == 0) {
        clock_clear(&snapshot->clock);
        free(snapshot);
    }
}

static bool same_place(const struct origin_place *a, const struct origin_place *b)
{
    return a->site == b->site && a->kind == b->kind && a->start == b->start && a->op == b->op &&
           a->type == b->type && a->type_size == b->type_size && a->thread == b->thread &&
           a->time == b->time;
}

/* Places that scatter, like updates of a hash table, are not compared with all their recent records
 * every time: a stream or a repetition that begins later is found a few blocks later, and then
 * everything is compared again. */
enum { SCATTERS_AFTER = RECENT, GLANCE = 3, LOOK_EVERY = 16 };

static bool only_glances(const struct origin_place *place)
{
    return place->misses > SCATTERS_AFTER && place->misses % LOOK_EVERY != 0;
}

/* Programs issue from few places at a time; the last one is the likeliest. One that is not found
 * among the last ones is entered again: that costs merging, nothing else. */
enum { PLACES_LOOKED_AT = 64 };

static uint32_t find_place(struct op_log *log, const struct origin_place *place)
{
    size_t stop = log->place_count > PLACES_LOOKED_AT ? log->place_count - PLACES_LOOKED_AT : 0;
    for (size_t i = log->place_count; i-- > stop;)
        if (same_place(&log->places[i], place))
            return (uint32_t)i;
    grow_array(log->places, log->place_count, log->place_capacity);
    struct origin_place *fresh = &log->places[log->place_count];
    *fresh = *place;
    fresh->recent_count = 0;
    fresh->misses = place->site == log->scattered ? SCATTERS_AFTER + 1 : 0;
    fresh->start->references++;
    return (uint32_t)log->place_count++;
}

static void touch_recent(struct origin_place *place, uint32_t slot)
{
    uint32_t record = place->recent[slot];
    memmove(&place->recent[1], &place->recent[0], slot * sizeof *place->recent);
    place->recent[0] = record;
}

static void forget_recent(struct origin_place *place, uint32_t slot)
{
    memmove(&place->recent[slot], &place->recent[slot + 1],
            (place->recent_count - slot - 1) * sizeof *place->recent);
    place->recent_count--;
}

/* b directly behind a, or one step further: a becomes both. */
static bool continues(struct section *a, const struct section *b)
{
    if (a->count == 1 && b->count == 1) {
        if (b->start != a->start + a->length)
            return false;
        a->length += b->length;
        return true;
    }
    if (a->length != b->length)
        return false;
    uint64_t stride = a->count > 1 ? a->stride : b->stride;
    if ((b->count > 1 && b->stride != stride) || b->start != a->start + a->count * stride)
        return false;
    a->stride = stride;
    if (!MUTANT(merge_loses_block))
        a->count += b->count;
    return true;
}

static bool merges(struct section *record, const struct section *section)
{
    if (continues(record, section))
        return true;
    struct section low = *section;
    if (!continues(&low, record))
        return false;
    *record = low;
    return true;
}

/* Where the single blocks of one length may start: a bit per start. Almost all that are asked for
 * are not there, and comparing with all recent ones for each of them was an eighth of the cost of
 * scattered updates. */
enum { STARTS_BITS = 256 };

struct starts {
    uint64_t bits[STARTS_BITS / 64];
};

static uint32_t start_bit(uint64_t start)
{
    return (uint32_t)(start * 0x9e3779b97f4a7c15u >> 56); /* STARTS_BITS = 2^(64 - 56) */
}

static struct starts starts_of(const struct op_log *log, const struct origin_place *place,
                               uint64_t length)
{
    struct starts starts = {{0}};
    for (uint32_t i = 0; i < place->recent_count; i++) {
        const struct section *block = &log->records[place->recent[i]].section;
        if (block->length == length && block->count == 1)
            starts.bits[start_bit(block->start) / 64] |= 1ull << start_bit(block->start) % 64;
    }
    return starts;
}

/* The slot of a single block of that place, RECENT if there is none. */
static uint32_t find_block(const struct op_log *log, const struct origin_place *place,
                           const struct starts *starts, uint64_t start, uint64_t length)
{
    if (!(starts->bits[start_bit(start) / 64] >> start_bit(start) % 64 & 1))
        return RECENT;
    for (uint32_t i = 0; i < place->recent_count; i++) {
        const struct section *block = &log->records[place->recent[i]].section;
        if (block->start == start && block->length == length && block->count == 1)
            return i;
    }
    return RECENT;
}

/* Single blocks at equal distances become a stream: three that are near each other, or six that are
 * far. In interleaved streams the blocks that arrive first belong to different ones, and arrays
 * that are walked in step easily lie at equal distances. */
enum { FAR = 4096, NEAR_BLOCKS = 3, FAR_BLOCKS = 6 };

static bool starts_stream(struct op_log *log, struct origin_place *place,
                          const struct section *last)
{
    if (last->count > 1 || place->recent_count < NEAR_BLOCKS - 1)
        return false;
    struct starts starts = starts_of(log, place, last->length);
    for (uint32_t i = 0; i < place->recent_count; i++) {
        const struct section *previous = &log->records[place->recent[i]].section;
        if (previous->count != 1 || previous->length != last->length)
            continue;
        uint64_t step = last->start - previous->start; /* modulo 2^64: may be downwards */
        uint64_t distance = last->start > previous->start ? step : -step;
        if (distance <= last->length)
            continue;
        uint32_t slots[RECENT], blocks = 0, slot = i;
        while (slot != RECENT && blocks < RECENT) {
            slots[blocks++] = slot;
            slot = find_block(log, place, &starts, last->start - (blocks + 1) * step, last->length);
        }
        if (blocks + 1 < (distance <= FAR ? NEAR_BLOCKS : FAR_BLOCKS))
            continue;
        struct section *stream = &log->records[place->recent[slots[0]]].section;
        uint64_t first = last->start - blocks * step;
        *stream = (struct section){first < last->start ? first : last->start, last->length,
                                   distance, blocks + 1};
        for (uint32_t k = 1; k < blocks; k++) {
            log->records[place->recent[slots[k]]].section.count = 0;
            log->live--;
        }
        touch_recent(place, slots[0]);
        for (uint32_t k = place->recent_count; k-- > 0;)
            if (log->records[place->recent[k]].section.count == 0)
                forget_recent(place, k);
        return true;
    }
    return false;
}

static void add_record(struct op_log *log, uint32_t index, const struct section *section)
{
    grow_array(log->records, log->record_count, log->record_capacity);
    log->records[log->record_count] = (struct log_record){*section, index};
    struct origin_place *place = &log->places[index];
    if (place->recent_count < RECENT)
        place->recent_count++;
    memmove(&place->recent[1], &place->recent[0],
            (place->recent_count - 1) * sizeof *place->recent);
    place->recent[0] = (uint32_t)log->record_count++;
    log->live++;
}

/* Several arrays that lie at equal distances and are walked in step look like short streams across
 * them at first: 0, 1000, 2000; 8, 1008, 2008; 16, 1016, 2016. Three of these of one shape at equal
 * distances are turned into one stream per array, which then grow without end. */
static void turn_streams(struct op_log *log, uint32_t index)
{
    enum { ROWS = 3 };
    struct origin_place *place = &log->places[index];
    struct section rows[ROWS];
    uint32_t slot[ROWS] = {0};
    rows[0] = log->records[place->recent[0]].section; /* the one that has just grown */
    uint64_t columns = rows[0].count;
    if (columns < 2 || columns > RECENT - ROWS)
        return;
    int found = 1;
    for (uint32_t i = 1; i < place->recent_count && found < ROWS; i++) {
        const struct section *row = &log->records[place->recent[i]].section;
        if (row->count != columns || row->length != rows[0].length ||
            row->stride != rows[0].stride ||
            (found == 2 && rows[1].start - row->start != rows[0].start - rows[1].start))
            continue;
        rows[found] = *row;
        slot[found++] = i;
    }
    uint64_t step = rows[0].start - rows[1].start; /* only upwards: that is what loops do */
    if (found < ROWS || rows[0].start <= rows[1].start || step <= rows[0].length ||
        step >= rows[0].stride)
        return;
    for (int i = ROWS; i-- > 0;) { /* from the back, so that slots stay right */
        log->records[place->recent[slot[i]]].section.count = 0;
        log->live--;
        forget_recent(place, slot[i]);
    }
    for (uint64_t i = 0; i < columns; i++) {
        struct section column = {rows[ROWS - 1].start + i * rows[0].stride, rows[0].length, step,
                                 ROWS};
        add_record(log, index, &column);
    }
}

/* Whether the log already tells all that one more operation on these bytes could: two that write
 * the same bytes race with each other and stand for any number of them, one that reads stands for
 * all. */
static bool repeats(const struct op_log *log, const struct origin_place *place,
                    const struct section *section, uint32_t looks)
{
    int seen = 0;
    for (uint32_t i = 0; i < looks; i++) {
        const struct section *other = &log->records[place->recent[i]].section;
        seen += other->start == section->start && other->length == section->length &&
                other->count == section->count && other->stride == section->stride;
    }
    return seen >= 2 || (seen && MUTANT(merge_repeats)) ||
           (seen == 1 && !access_writes_target(place->kind, place->op) &&
            place->kind != ACCESS_STORE);
}

/* A block that has grown may now fit where it did not before: two fields of a record that are put
 * one after the other continue the stream of the whole. It is the most recent record of its place.
 */
enum { LARGEST_FIELD = 256 };

static void place_grown(struct op_log *log, uint32_t index)
{
    struct origin_place *place = &log->places[index];
    uint32_t number = place->recent[0];
    struct section grown = log->records[number].section;
    if (grown.length > LARGEST_FIELD || place->recent_count < 2)
        return;
    log->records[number].section.count = 0; /* so that it is not found as its own neighbour */
    log->live--;
    forget_recent(place, 0);
    for (uint32_t i = 0; i < place->recent_count; i++) {
        struct section *stream = &log->records[place->recent[i]].section;
        if (stream->count > 1 && merges(stream, &grown)) {
            touch_recent(place, i);
            return;
        }
    }
    if (starts_stream(log, place, &grown))
        return;
    log->records[number].section = grown;
    log->live++;
    memmove(&place->recent[1], &place->recent[0], place->recent_count * sizeof *place->recent);
    place->recent[0] = number;
    place->recent_count++;
}

void log_add(struct op_log *log, const struct origin_place *as, const struct section *section)
{
    uint32_t index = find_place(log, as);
    struct origin_place *place = &log->places[index];
    bool glance = only_glances(place);
    uint32_t looks = glance && place->recent_count > GLANCE ? GLANCE : place->recent_count;
    if (repeats(log, place, section, looks)) {
        place->misses = 0;
        return;
    }
    for (uint32_t i = 0; i < looks; i++) {
        struct section *record = &log->records[place->recent[i]].section;
        if (!merges(record, section))
            continue;
        touch_recent(place, i);
        place->misses = 0;
        if (record->count == 1)
            place_grown(log, index);
        else if (record->count <= RECENT)
            turn_streams(log, index);
        return;
    }
    place->misses++;
    if (!glance && starts_stream(log, place, section)) {
        place->misses = 0;
        turn_streams(log, index);
    } else {
        add_record(log, index, section);
    }
}

void log_empty(struct op_log *log)
{
    for (size_t i = 0; i < log->place_count; i++) {
        if (log->places[i].misses > SCATTERS_AFTER)
            log->scattered = log->places[i].site;
        else if (log->places[i].site == log->scattered)
            log->scattered = 0;
        snapshot_drop(log->places[i].start);
    }
    log->place_count = log->record_count = log->live = 0;
}

void log_remove(struct op_log *log, const bool *gone)
{
    uint32_t *moved = allocate(log->place_count * sizeof *moved);
    uint32_t *position = allocate(log->record_count * sizeof *position);
    size_t kept = 0;
    for (size_t i = 0; i < log->record_count; i++) {
        position[i] = (uint32_t)kept;
        if (gone[log->records[i].place])
            log->live -= log->records[i].section.count > 0;
        else
            log->records[kept++] = log->records[i];
    }
    log->record_count = kept;
    kept = 0;
    for (size_t i = 0; i < log->place_count; i++) {
        moved[i] = (uint32_t)kept;
        if (gone[i]) {
            snapshot_drop(log->places[i].start);
            continue;
        }
        struct origin_place *place = &log->places[kept++];
        *place = log->places[i];
        for (uint32_t k = 0; k < place->recent_count; k++)
            place->recent[k] = position[place->recent[k]];
    }
    log->place_count = kept;
    for (size_t i = 0; i < log->record_count; i++)
        log->records[i].place = moved[log->records[i].place];
    free(moved);
    free(position);
}

void log_clear(struct op_log *log)
{
    log_empty(log);
    free(log->places);
    free(log->records);
    *log = (struct op_log){0};
}

uint32_t *log_by_place(const struct op_log *log, uint32_t *order)
{
    uint32_t *first = allocate_zeroed(log->place_count + 1, sizeof *first);
    for (size_t i = 0; i < log->record_count; i++)
        first[log->records[i].place + 1]++;
    for (size_t p = 0; p < log->place_count; p++)
        first[p + 1] += first[p];
    uint32_t *next = allocate((log->place_count + 1) * sizeof *next);
    memcpy(next, first, (log->place_count + 1) * sizeof *next);
    for (size_t i = 0; i < log->record_count; i++)
        order[next[log->records[i].place]++] = (uint32_t)i;
    free(next);
    return first;
}

size_t log_bytes(const struct op_log *log)
{
    return log->place_capacity * sizeof *log->places + log->record_capacity * sizeof *log->records;
}
