/* Section lists against sets of bytes written out one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "section_list.h"

#define REACH 4096 /* all bytes of the random cases lie within -REACH … REACH */

struct bytes {
    unsigned char in[2 * REACH];
};

static void add(struct bytes *bytes, const struct section *section, int64_t shift)
{
    for (uint64_t block = 0; block < section->count; block++)
        for (uint64_t i = 0; i < section->length; i++) {
            int64_t at = (int64_t)(section->start + block * section->stride + i) + shift + REACH;
            assert_in_range(at, 0, 2 * REACH - 1);
            bytes->in[at] = 1;
        }
}

static void add_list(struct bytes *bytes, const struct section_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct section *section = &list->at[i];
        assert_true(section->length > 0 && section->count > 0);
        assert_true(section->count == 1 ? section->stride == 0 : section->stride > section->length);
        add(bytes, section, 0);
    }
}

static int between(int low, int high)
{
    return low + rand() % (high - low + 1);
}

static struct section random_section(void)
{
    struct section section = {.start = (uint64_t)(int64_t)between(-300, 300),
                              .length = (uint64_t)between(1, 20),
                              .count = (uint64_t)between(1, 6)};

    if (section.count > 1)
        section.stride = section.length + (uint64_t)between(1, 20);
    return section;
}

static void repeats_exactly(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; round++) {
        struct section pattern = random_section();
        int times = between(0, 7), distance = between(-60, 120);
        struct bytes expected = {0}, found = {0};
        struct section_list list = {0};

        for (int i = 0; i < times; i++)
            add(&expected, &pattern, (int64_t)i * distance);
        section_list_repeat(&list, &pattern, (uint64_t)times, distance);
        add_list(&found, &list);
        assert_memory_equal(&expected, &found, sizeof found);
        assert_true(list.count <= pattern.count);
        assert_true(list.count <= (size_t)times);
        section_list_free(&list);
    }
}

static void compacts_exactly(void **state)
{
    (void)state;
    srand(2);
    for (int round = 0; round < 20000; round++) {
        struct bytes expected = {0}, found = {0};
        struct section_list list = {0};
        int sections = between(0, 12), grid = between(1, 30);

        for (int i = 0; i < sections; i++) {
            struct section section = random_section();
            /* On a grid, so that neighbours and runs are not rare. */
            section.start = (uint64_t)((int64_t)section.start / grid * grid);
            if (between(0, 1))
                section = (struct section){section.start, 4, 0, 1};
            add(&expected, &section, 0);
            section_list_repeat(&list, &section, 1, 0);
        }
        size_t before = list.count;
        section_list_compact(&list);
        assert_true(list.count <= before);
        add_list(&found, &list);
        assert_memory_equal(&expected, &found, sizeof found);
        section_list_free(&list);
    }
}

static void append(struct section_list *list, int64_t start, uint64_t length)
{
    section_list_repeat(list, &(struct section){(uint64_t)start, length, 0, 1}, 1, 0);
}

static void assert_section(const struct section *section, int64_t start, uint64_t length,
                           uint64_t stride, uint64_t count)
{
    assert_int_equal(section->start, start);
    assert_int_equal(section->length, length);
    assert_int_equal(section->stride, stride);
    assert_int_equal(section->count, count);
}

static void scattered_records_become_one_section_per_field(void **state)
{
    (void)state;
    struct section_list list = {0};

    for (int record = 0; record < 1000; record++) {
        int place = record * 7 % 1000; /* in any order */
        append(&list, 32 * place, 4);
        append(&list, 32 * place + 8, 8);
    }
    section_list_compact(&list);
    assert_int_equal(list.count, 2);
    assert_section(&list.at[0], 0, 4, 32, 1000);
    assert_section(&list.at[1], 8, 8, 32, 1000);
    section_list_free(&list);
}

static void touching_blocks_unite(void **state)
{
    (void)state;
    struct section_list list = {0};

    append(&list, 8, 8);
    append(&list, -8, 8);
    append(&list, 0, 8);
    append(&list, 2, 3);
    section_list_compact(&list);
    assert_int_equal(list.count, 1);
    assert_section(&list.at[0], -8, 24, 0, 1);
    section_list_free(&list);
}

static void pairs_of_rows_fold(void **state)
{
    (void)state;
    struct section_list list = {0};

    for (int i = 0; i < 100; i++) {
        append(&list, 10 * i, 1);
        append(&list, 10 * i + 3, 1);
    }
    section_list_compact(&list);
    assert_true(list.count <= 2);
    section_list_free(&list);
}

static void fixed_lists_count_beyond_their_room(void **state)
{
    (void)state;
    struct section two[2] = {{0}};
    struct section_list list = {.at = two, .room = 1, .fixed = true};

    section_list_repeat(&list, &(struct section){0, 1, 10, 100}, 3, 1001);
    assert_int_equal(list.count, 3);
    assert_section(&two[0], 0, 1, 10, 100);
    assert_section(&two[1], 0, 0, 0, 0);
    assert_false(list.failed);
}

static void too_far_fails(void **state)
{
    (void)state;
    struct section_list list = {0};

    section_list_repeat(&list, &(struct section){0, 8, 0, 1}, 4, INT64_MAX / 2);
    assert_true(list.failed);
    section_list_free(&list);
    section_list_repeat(&list, &(struct section){16, 8, 0, 1}, 3, INT64_MIN / 2);
    assert_true(list.failed);
    section_list_free(&list);
}

static void too_many_fails(void **state)
{
    (void)state;
    struct section_list list = {0};

    section_list_repeat(&list, &(struct section){0, 1, 3, SECTION_LIST_MAX * 2},
                        SECTION_LIST_MAX * 2, 3 * 4 * SECTION_LIST_MAX + 1);
    assert_true(list.failed);
    section_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_exactly),
        cmocka_unit_test(compacts_exactly),
        cmocka_unit_test(scattered_records_become_one_section_per_field),
        cmocka_unit_test(touching_blocks_unite),
        cmocka_unit_test(pairs_of_rows_fold),
        cmocka_unit_test(fixed_lists_count_beyond_their_room),
        cmocka_unit_test(too_far_fails),
        cmocka_unit_test(too_many_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
