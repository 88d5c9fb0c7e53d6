/* Sections against plain sets of bytes. */
#include "unit.h"
#include "section.h"

enum { SPACE = 400 };

static struct section random_section(void)
{
    struct section section = {random_below(120), 1 + random_below(random_below(2) ? 4 : 30), 0, 1};
    if (random_below(3)) {
        section.count = 2 + random_below(12);
        section.stride = section.length + 1 + random_below(random_below(2) ? 5 : 40);
        while (section_end(&section) > SPACE && section.count > 1)
            section.count--;
        if (section.count == 1)
            section.stride = 0;
    }
    return section;
}

static void mark(const struct section *section, bool bytes[SPACE])
{
    memset(bytes, 0, SPACE * sizeof *bytes);
    for (uint64_t i = 0; i < section->count; i++)
        for (uint64_t k = 0; k < section->length; k++)
            bytes[section->start + i * section->stride + k] = true;
}

static void overlap_is_exact(void **state)
{
    (void)state;
    static bool a[SPACE], b[SPACE];
    int hits = 0, misses = 0;
    for (int round = 0; round < 200000; round++) {
        struct section x = random_section(), y = random_section(), common = {0};
        assert_true(section_valid(&x));
        mark(&x, a);
        mark(&y, b);
        uint64_t low = 0;
        while (low < SPACE && !(a[low] && b[low]))
            low++;
        bool expected = low < SPACE;
        assert_int_equal(section_overlaps(&x, &y, &common), expected);
        assert_int_equal(section_overlaps(&y, &x, NULL), expected);
        if (expected) {
            uint64_t high = low;
            while (high < SPACE && a[high] && b[high])
                high++;
            assert_int_equal(common.start, low);
            assert_int_equal(common.length, high - low);
            assert_int_equal(common.count, 1);
            hits++;
        } else if (x.start < section_end(&y) && y.start < section_end(&x)) {
            misses++;
        }
    }
    assert_true(hits > 10000);
    assert_true(misses >
                1000); /* interleaved without a shared byte: the case that needs exactness */
}

static void huge_sections_take_no_time(void **state)
{
    (void)state;
    /* Strides 2^20+1 and 2^20: the blocks drift into each other after 2^20 - 8 steps. */
    struct section a = {0, 8, (1 << 20) + 1, 1 << 21}, b = {16, 8, 1 << 20, (uint64_t)1 << 22};
    struct section common;
    assert_true(section_overlaps(&a, &b, &common));
    uint64_t i = common.start / a.stride;
    assert_true(section_contains_byte(&a, common.start) && section_contains_byte(&b, common.start));
    assert_int_equal(i, 9); /* a's block 9 starts at 9 mod 2^20 and reaches byte 16 */
    b.start = 8 + (1 << 19);
    assert_true(section_overlaps(&a, &b, &common));
    struct section even = {0, 1, 2, UINT32_MAX}, odd = {1, 1, 4, UINT32_MAX};
    assert_false(section_overlaps(&even, &odd, NULL));
    struct section far = {UINT64_MAX - 100, 50, 0, 1}, top = {UINT64_MAX - 60, 59, 0, 1};
    assert_true(section_overlaps(&far, &top, &common));
    assert_int_equal(common.start, UINT64_MAX - 60);
}

static void covers_is_never_wrong(void **state)
{
    (void)state;
    static bool a[SPACE], b[SPACE];
    int yes = 0;
    for (int round = 0; round < 200000; round++) {
        struct section x = random_section(), y = random_section();
        if (round % 3 == 0) /* make it likely */
            y = (struct section){x.start, x.length, x.stride, x.count - (x.count > 2)};
        mark(&x, a);
        mark(&y, b);
        bool expected = true;
        for (int i = 0; i < SPACE; i++)
            expected &= !b[i] || a[i];
        bool answer = section_covers(&x, &y);
        assert_true(!answer || expected);
        if (x.count == 1 || (y.count > 1 && y.stride == x.stride))
            assert_int_equal(answer, expected);
        yes += answer;
    }
    assert_true(yes > 1000);
}

static void clip_keeps_exactly_the_inside(void **state)
{
    (void)state;
    static bool a[SPACE], rest[SPACE];
    for (int round = 0; round < 200000; round++) {
        struct section x = random_section(), pieces[3];
        uint64_t low = random_below(SPACE), high = low + random_below(SPACE - low + 1);
        mark(&x, a);
        size_t n = section_clip(&x, low, high, pieces);
        static bool got[SPACE];
        memset(got, 0, sizeof got);
        for (size_t i = 0; i < n; i++) {
            assert_true(section_valid(&pieces[i]));
            mark(&pieces[i], rest);
            for (int k = 0; k < SPACE; k++) {
                assert_false(got[k] && rest[k]);
                got[k] |= rest[k];
            }
        }
        for (uint64_t k = 0; k < SPACE; k++)
            assert_int_equal(got[k], a[k] && k >= low && k < high);
    }
}

static void invalid_sections_are_seen(void **state)
{
    (void)state;
    struct section bad[] = {{0, 0, 0, 1},
                            {0, 1, 0, 0},
                            {0, 1, 1, 1},
                            {0, 4, 4, 2},
                            {0, 4, 0, 2},
                            {UINT64_MAX, 1, 0, 1},
                            {0, 1, UINT64_MAX / 2, 4},
                            {8, 1, (uint64_t)1 << 40, (uint64_t)1 << 40}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(section_valid(&bad[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_is_exact),
        cmocka_unit_test(huge_sections_take_no_time),
        cmocka_unit_test(covers_is_never_wrong),
        cmocka_unit_test(clip_keeps_exactly_the_inside),
        cmocka_unit_test(invalid_sections_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
