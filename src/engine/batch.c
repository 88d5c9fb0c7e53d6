#include "batch.h"
#include <stdlib.h>
#include <string.h>

/* 'R' 'B' and a version that changes with every change of the format. */
enum { BATCH_MAGIC_0 = 'R', BATCH_MAGIC_1 = 'B', BATCH_VERSION = 2 };
enum { THREAD_LIMIT = 1 << 16, TYPE_SIZE_LIMIT = 1 << 16 };

static void write_clock(struct writer *out, const struct clock *clock)
{
    size_t bound = clock_encoded_bound(clock);
    uint8_t few[512], *scratch = bound <= sizeof few ? few : allocate(bound);
    size_t size = clock_encode(clock, scratch);
    write_number(out, size);
    write_reserve(out, size);
    memcpy(out->bytes + out->size, scratch, size);
    out->size += size;
    if (scratch != few)
        free(scratch);
}

static void write_seen(const struct batch *batch, struct writer *out)
{
    write_number(out, batch->seen_count);
    for (size_t i = 0; i < batch->seen_count; i++) {
        const struct batch_seen *seen = &batch->seen[i];
        write_number(out, seen->start);
        write_number(out, seen->length);
        write_number(out, seen->thread);
        write_number(out, seen->time);
        write_number(out, actor_rank(seen->updater));
        write_number(out, actor_thread(seen->updater));
        write_number(out, seen->stamp);
    }
}

static void write_lots(const struct batch *batch, struct writer *out)
{
    write_number(out, batch->lot_count);
    size_t from = 0;
    for (size_t i = 0; i < batch->lot_count; i++) {
        const struct batch_lot *lot = &batch->lots[i];
        write_byte(out, lot->state);
        if (lot->state != LOT_EXPOSED)
            write_number(out, lot->number);
        if (lot->state == LOT_OVER) {
            write_number(out, lot->thread);
            write_number(out, lot->time);
        }
        write_number(out, lot->record_end - from);
        from = lot->record_end;
    }
}

/* Records of one place differ in their sections only: a flag tells that the rest is as before. */
static bool same_origin_place(const struct batch_record *a, const struct batch_record *b)
{
    return a->kind == b->kind && a->op == b->op && a->type == b->type &&
           a->type_size == b->type_size && a->thread == b->thread && a->site == b->site &&
           a->clock == b->clock;
}

static void write_records(const struct batch *batch, struct writer *out)
{
    write_number(out, batch->record_count);
    uint64_t at = 0;
    for (size_t i = 0; i < batch->record_count; i++) {
        const struct batch_record *record = &batch->records[i];
        bool same = i > 0 && same_origin_place(record, record - 1);
        bool strided = record->section.count > 1;
        write_byte(out, (uint8_t)(same | strided << 1));
        if (!same) {
            write_byte(out, (uint8_t)record->kind);
            write_number(out, record->op);
            write_number(out, record->type);
            write_number(out, record->type_size);
            write_number(out, record->thread);
            write_number(out, record->site);
            write_number(out, record->clock);
        }
        write_number(out, folded((int64_t)(record->section.start - at)));
        write_number(out, record->section.length);
        if (strided) {
            write_number(out, record->section.stride);
            write_number(out, record->section.count);
        }
        at = record->section.start;
    }
}

void batch_encode(const struct batch *batch, struct writer *out)
{
    write_byte(out, BATCH_MAGIC_0);
    write_byte(out, BATCH_MAGIC_1);
    write_byte(out, BATCH_VERSION);
    write_number(out, batch->origin);
    write_number(out, batch->target);
    write_number(out, batch->window);
    write_byte(out, (uint8_t)batch->epoch);
    write_number(out, batch->epoch_index);
    write_byte(out, (uint8_t)batch->lock);
    write_number(out, batch->clock_count);
    for (size_t i = 0; i < batch->clock_count; i++)
        write_clock(out, batch->clocks[i]);
    write_number(out, batch->floor);
    write_number(out, batch->close_count);
    for (size_t i = 0; i < batch->close_count; i++) {
        write_number(out, batch->closes[i].number);
        write_number(out, batch->closes[i].thread);
        write_number(out, batch->closes[i].time);
        write_byte(out, batch->closes[i].further);
    }
    write_seen(batch, out);
    write_lots(batch, out);
    write_records(batch, out);
}

/* A number of things of at least `least` bytes each that the rest of the input can hold. */
static size_t read_count(struct reader *in, size_t least)
{
    uint64_t count = read_number(in);
    if (count > bytes_left(in) / least) {
        in->failed = true;
        return 0;
    }
    return (size_t)count;
}

static void read_clocks(struct batch *batch, struct reader *in)
{
    size_t count = read_count(in, 4);
    batch->clocks = allocate(count * sizeof *batch->clocks);
    batch->owned_clocks = allocate_zeroed(count, sizeof *batch->owned_clocks);
    for (size_t i = 0; i < count && !in->failed; i++) {
        uint64_t size = read_number(in);
        if (size > bytes_left(in) || !clock_decode(&batch->owned_clocks[i], in->at, (size_t)size)) {
            in->failed = true;
            return;
        }
        in->at += size;
        batch->clocks[batch->clock_count++] = &batch->owned_clocks[i];
    }
}

static void read_closes(struct batch *batch, struct reader *in)
{
    size_t count = read_count(in, 4);
    if (!count)
        return;
    batch->closes = allocate(count * sizeof *batch->closes);
    for (size_t i = 0; i < count; i++) {
        struct batch_close *close = &batch->closes[batch->close_count++];
        close->number = read_number(in);
        close->thread = (uint32_t)read_below(in, THREAD_LIMIT);
        close->time = read_number(in);
        uint8_t further = read_byte(in);
        close->further = further;
        if (further > 1)
            in->failed = true;
    }
}

static void read_seen(struct batch *batch, struct reader *in)
{
    size_t count = read_count(in, 7);
    if (!count)
        return;
    batch->seen = allocate(count * sizeof *batch->seen);
    for (size_t i = 0; i < count && !in->failed; i++) {
        struct batch_seen *seen = &batch->seen[batch->seen_count++];
        seen->start = read_number(in);
        seen->length = read_number(in);
        seen->thread = (uint32_t)read_below(in, THREAD_LIMIT);
        seen->time = read_number(in);
        uint32_t rank = (uint32_t)read_below(in, UINT32_MAX);
        seen->updater = actor_of(rank, (uint32_t)read_below(in, THREAD_LIMIT));
        seen->stamp = read_number(in);
        if (!seen->length || seen->start + seen->length < seen->start)
            in->failed = true;
    }
}

static void read_lots(struct batch *batch, struct reader *in)
{
    size_t count = read_count(in, 2);
    batch->lots = allocate(count * sizeof *batch->lots);
    uint64_t records = 0;
    for (size_t i = 0; i < count && !in->failed; i++) {
        struct batch_lot lot = {.state = (enum lot_state)read_byte(in)};
        if (lot.state >= LOT_STATES) {
            in->failed = true;
            return;
        }
        if (lot.state != LOT_EXPOSED)
            lot.number = read_number(in);
        if (lot.state == LOT_OVER) {
            lot.thread = (uint32_t)read_below(in, THREAD_LIMIT);
            lot.time = read_number(in);
        }
        records += read_below(in, (uint64_t)1 << 40);
        lot.record_end = (size_t)records;
        batch->lots[batch->lot_count++] = lot;
    }
}

static bool plausible(const struct batch_record *record, size_t clocks)
{
    bool accumulate = record->kind >= ACCESS_ACCUMULATE && record->kind <= ACCESS_COMPARE_AND_SWAP;
    if (record->kind >= ACCESS_BUFFER_READ || record->clock >= clocks)
        return false;
    return accumulate ? record->op != ACC_NONE && record->type_size > 0 : record->op == ACC_NONE;
}

static void read_place(struct batch_record *record, struct reader *in)
{
    record->kind = (enum access_kind)read_byte(in);
    record->op = (uint32_t)read_below(in, UINT32_MAX);
    record->type = (uint32_t)read_below(in, UINT32_MAX);
    record->type_size = (uint32_t)read_below(in, TYPE_SIZE_LIMIT);
    record->thread = (uint32_t)read_below(in, THREAD_LIMIT);
    record->site = read_below(in, SITE_LIMIT);
    record->clock = (uint32_t)read_below(in, UINT32_MAX);
}

static void read_records(struct batch *batch, struct reader *in)
{
    size_t count = read_count(in, 3);
    batch->records = allocate(count * sizeof *batch->records);
    struct batch_record record = {0};
    for (size_t i = 0; i < count && !in->failed; i++) {
        uint8_t flags = read_byte(in);
        if (flags > 3 || (i == 0 && flags & 1)) {
            in->failed = true;
            return;
        }
        if (!(flags & 1))
            read_place(&record, in);
        record.section.start += (uint64_t)unfolded(read_number(in));
        record.section.length = read_number(in);
        record.section.stride = flags & 2 ? read_number(in) : 0;
        record.section.count = flags & 2 ? read_number(in) : 1;
        if (in->failed || !plausible(&record, batch->clock_count) ||
            !section_valid(&record.section)) {
            in->failed = true;
            return;
        }
        batch->records[batch->record_count++] = record;
    }
}

bool batch_decode(struct batch *batch, const void *bytes, size_t size)
{
    *batch = (struct batch){0};
    struct reader in = reader_of(bytes, size);
    if (read_byte(&in) != BATCH_MAGIC_0 || read_byte(&in) != BATCH_MAGIC_1 ||
        read_byte(&in) != BATCH_VERSION)
        return false;
    batch->origin = (uint32_t)read_below(&in, UINT32_MAX);
    batch->target = (uint32_t)read_below(&in, UINT32_MAX);
    batch->window = read_number(&in);
    batch->epoch = (enum epoch_kind)read_byte(&in);
    batch->epoch_index = read_number(&in);
    batch->lock = (enum lock_type)read_byte(&in);
    if (in.failed || batch->epoch >= EPOCH_KINDS || batch->lock > LOCK_EXCLUSIVE)
        return false;
    read_clocks(batch, &in);
    batch->floor = (uint32_t)read_below(&in, batch->clock_count + 1);
    read_closes(batch, &in);
    read_seen(batch, &in);
    read_lots(batch, &in);
    read_records(batch, &in);
    size_t in_lots = batch->lot_count ? batch->lots[batch->lot_count - 1].record_end : 0;
    if (!read_whole(&in) || in_lots != batch->record_count) {
        batch_clear(batch);
        return false;
    }
    return true;
}

void batch_clear(struct batch *batch)
{
    if (batch->owned_clocks)
        for (size_t i = 0; i < batch->clock_count; i++)
            clock_clear(&batch->owned_clocks[i]);
    free(batch->owned_clocks);
    free(batch->clocks);
    free(batch->closes);
    free(batch->seen);
    free(batch->lots);
    free(batch->records);
    *batch = (struct batch){0};
}
