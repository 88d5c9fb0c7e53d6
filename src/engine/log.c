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

/* Programs issue from few places at a time; the last one is the likeliest. */
static uint32_t find_place(struct op_log *log, const struct origin_place *place)
{
    for (size_t i = log->place_count; i-- > 0;)
        if (same_place(&log->places[i], place))
            return (uint32_t)i;
    grow_array(log->places, log->place_count, log->place_capacity);
    struct origin_place *fresh = &log->places[log->place_count];
    *fresh = *place;
    fresh->recent_count = 0;
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

/* Three single blocks at equal distances become a stream. Two are not enough: in interleaved
 * streams the first two blocks that arrive belong to different ones. */
static bool starts_stream(struct op_log *log, struct origin_place *place,
                          const struct section *third)
{
    if (third->count > 1)
        return false;
    for (uint32_t i = 0; i < place->recent_count; i++) {
        struct section *second = &log->records[place->recent[i]].section;
        if (second->count > 1 || second->length != third->length)
            continue;
        uint64_t step = third->start - second->start; /* modulo 2^64: may be downwards */
        uint64_t distance = third->start > second->start ? step : -step;
        if (distance <= third->length)
            continue;
        for (uint32_t k = 0; k < place->recent_count; k++) {
            struct section *first = &log->records[place->recent[k]].section;
            if (k == i || first->count > 1 || first->length != third->length ||
                second->start - first->start != step)
                continue;
            uint64_t start = third->start > first->start ? first->start : third->start;
            *first = (struct section){start, third->length, distance, 3};
            second->count = 0;
            log->live--;
            touch_recent(place, k);
            for (uint32_t gone = 0; gone < place->recent_count; gone++)
                if (log->records[place->recent[gone]].section.count == 0) {
                    forget_recent(place, gone);
                    break;
                }
            return true;
        }
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
                    const struct section *section)
{
    int seen = 0;
    for (uint32_t i = 0; i < place->recent_count; i++) {
        const struct section *other = &log->records[place->recent[i]].section;
        seen += other->start == section->start && other->length == section->length &&
                other->count == section->count && other->stride == section->stride;
    }
    return seen >= 2 || (seen && MUTANT(merge_repeats)) ||
           (seen == 1 && !access_writes_target(place->kind, place->op) &&
            place->kind != ACCESS_STORE);
}

void log_add(struct op_log *log, const struct origin_place *as, const struct section *section)
{
    uint32_t index = find_place(log, as);
    struct origin_place *place = &log->places[index];
    if (repeats(log, place, section))
        return;
    for (uint32_t i = 0; i < place->recent_count; i++) {
        struct log_record *record = &log->records[place->recent[i]];
        if (!merges(&record->section, section))
            continue;
        touch_recent(place, i);
        if (record->section.count > 1) {
            if (record->section.count <= RECENT)
                turn_streams(log, index);
            return;
        }
        /* A grown block may now fit where it did not before: a record of two fields that are put
         * one after the other continues the stream of the whole. */
        struct section grown = record->section;
        for (uint32_t k = 1; k < place->recent_count; k++) {
            struct section *other = &log->records[place->recent[k]].section;
            if (other->count > 1 && merges(other, &grown)) {
                record->section.count = 0;
                log->live--;
                forget_recent(place, 0);
                touch_recent(place, k - 1);
                return;
            }
        }
        record->section.count = 0; /* so that it is not found as its own neighbour */
        if (place->recent_count > 2) {
            forget_recent(place, 0);
            if (starts_stream(log, place, &grown)) {
                log->live--;
                return;
            }
            memmove(&place->recent[1], &place->recent[0],
                    place->recent_count * sizeof *place->recent);
            place->recent[0] = (uint32_t)(record - log->records);
            place->recent_count++;
        }
        record->section = grown;
        return;
    }
    if (!starts_stream(log, place, section))
        add_record(log, index, section);
    else
        turn_streams(log, index);
}

void log_empty(struct op_log *log)
{
    for (size_t i = 0; i < log->place_count; i++)
        snapshot_drop(log->places[i].start);
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

size_t log_bytes(const struct op_log *log)
{
    return log->place_capacity * sizeof *log->places + log->record_capacity * sizeof *log->records;
}
