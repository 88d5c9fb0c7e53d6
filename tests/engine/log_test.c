/* Merging at the origin: no byte is lost, gained or counted less often than it matters. */
#include "unit.h"
#include "alloc.h"
#include "log.h"

enum { SPACE = 4000 };

static struct snapshot *snapshot(void)
{
    struct snapshot *fresh = calloc(1, sizeof *fresh);
    fresh->references = 1;
    return fresh;
}

static void count_bytes(const struct op_log *log, int counts[SPACE])
{
    memset(counts, 0, SPACE * sizeof *counts);
    size_t live = 0;
    for (size_t i = 0; i < log->record_count; i++) {
        const struct section *section = &log->records[i].section;
        if (section->count == 0)
            continue;
        live++;
        assert_true(section_valid(section));
        for (uint64_t b = 0; b < section->count; b++)
            for (uint64_t k = 0; k < section->length; k++)
                counts[section->start + b * section->stride + k]++;
    }
    assert_int_equal(live, log->live);
}

static void bytes_are_kept(void **state)
{
    (void)state;
    static int expected[SPACE], counts[SPACE];
    for (int round = 0; round < 3000; round++) {
        struct op_log log = {0};
        struct snapshot *start = snapshot();
        struct origin_place place = {
            .kind = random_below(2) ? ACCESS_PUT : ACCESS_GET, .site = 1, .start = start};
        memset(expected, 0, sizeof expected);
        uint64_t streams = 1 + random_below(4), at[4], step[4], length[4];
        for (uint64_t s = 0; s < streams; s++) {
            at[s] = random_below(500);
            length[s] = 4 << random_below(3);
            step[s] = random_below(4) ? length[s] * (1 + random_below(4)) : random_below(30);
        }
        for (int i = 0; i < 120; i++) {
            uint64_t s = random_below(4) ? (uint64_t)i % streams : random_below(streams);
            struct section section = {at[s], length[s], 0, 1};
            if (random_below(20) == 0)
                section.start = random_below(500);
            else
                at[s] += step[s];
            if (random_below(15) == 0) {
                section.count = 2 + random_below(5);
                section.stride = section.length + 1 + random_below(20);
            }
            if (section_end(&section) > SPACE)
                continue;
            log_add(&log, &place, &section);
            for (uint64_t b = 0; b < section.count; b++)
                for (uint64_t k = 0; k < section.length; k++)
                    expected[section.start + b * section.stride + k]++;
        }
        count_bytes(&log, counts);
        for (int i = 0; i < SPACE; i++) {
            /* Up to two matter for writes (a pair), one for reads. */
            int matters = place.kind == ACCESS_PUT ? 2 : 1;
            assert_true(counts[i] <= expected[i]);
            assert_true((counts[i] < matters ? counts[i] : matters) ==
                        (expected[i] < matters ? expected[i] : matters));
        }
        log_clear(&log);
        assert_int_equal(start->references, 1);
        snapshot_drop(start);
    }
}

static void add(struct op_log *log, struct snapshot *start, uint64_t at, uint64_t length)
{
    struct section section = {at, length, 0, 1};
    struct origin_place place = {.kind = ACCESS_PUT, .site = 1, .start = start};
    log_add(log, &place, &section);
}

static void patterns_become_few_records(void **state)
{
    (void)state;
    struct snapshot *start = snapshot();
    struct op_log log = {0};
    for (uint64_t i = 0; i < 1000; i++) /* adjacent, upwards */
        add(&log, start, i * 8, 8);
    assert_int_equal(log.live, 1);
    log_empty(&log);
    for (uint64_t i = 1000; i-- > 0;) /* adjacent, downwards */
        add(&log, start, i * 8, 8);
    assert_int_equal(log.live, 1);
    log_empty(&log);
    for (uint64_t i = 0; i < 1000; i++) /* equally spaced */
        add(&log, start, i * 24, 8);
    assert_int_equal(log.live, 1);
    log_empty(&log);
    for (uint64_t i = 1000; i-- > 0;)
        add(&log, start, i * 24, 8);
    assert_int_equal(log.live, 1);
    log_empty(&log);
    for (uint64_t i = 0; i < 1000; i++) { /* interlaced: two streams, two nodes */
        add(&log, start, i * 48, 8);
        add(&log, start, i * 48 + 16, 16);
    }
    assert_int_equal(log.live, 2);
    log_empty(&log);
    for (uint64_t i = 0; i < 1000; i++) { /* two adjacent fields of every record: one stream */
        add(&log, start, i * 48, 8);
        add(&log, start, i * 48 + 8, 16);
    }
    assert_true(log.live <= 2);
    log_empty(&log);
    for (uint64_t i = 0; i < 1000; i++) /* four arrays in turn */
        for (uint64_t array = 0; array < 4; array++)
            add(&log, start, array * 1000000 + i * 32, 8);
    assert_int_equal(log.live, 4);
    log_clear(&log);
    snapshot_drop(start);
}

static void places_can_be_taken_out(void **state)
{
    (void)state;
    struct snapshot *start = snapshot(), *later = snapshot();
    struct op_log log = {0};
    for (uint64_t i = 0; i < 10; i++) {
        struct section section = {i * 100, 8, 0, 1};
        struct origin_place place = {
            .kind = ACCESS_PUT, .site = i % 2, .start = i < 5 ? start : later};
        log_add(&log, &place, &section);
    }
    assert_int_equal(log.place_count, 4);
    bool gone[4] = {true, false, true, false};
    size_t before = log.live;
    log_remove(&log, gone);
    assert_int_equal(log.place_count, 2);
    assert_true(log.live < before && log.live > 0);
    for (size_t i = 0; i < log.record_count; i++)
        assert_true(log.records[i].place < 2);
    for (size_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < log.places[i].recent_count; k++)
            assert_int_equal(log.records[log.places[i].recent[k]].place, i);
    log_clear(&log);
    assert_int_equal(start->references, 1);
    assert_int_equal(later->references, 1);
    snapshot_drop(start);
    snapshot_drop(later);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_kept),
        cmocka_unit_test(patterns_become_few_records),
        cmocka_unit_test(places_can_be_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
