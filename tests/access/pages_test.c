/* The table of page flags: which pages a range flags, and that clearing touches no other flag. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "pages.h"

enum { PAGE = 1 << ACCESS_PAGE_BITS };

static unsigned flags_at(uint64_t address)
{
    return pages[access_page((const void *)(uintptr_t)address)];
}

static int reserve(void **state)
{
    (void)state;
    pages_mark_range(0, PAGE, ACCESS_IN_USE); /* without a table: nothing happens */
    return pages || pages_reserve() ? 0 : -1;
}

static int clear(void **state)
{
    (void)state;
    pages_clear_all();
    return 0;
}

static void a_range_flags_the_pages_it_touches(void **state)
{
    (void)state;
    uint64_t base = UINT64_C(0x7f0000000000);
    pages_mark_range(base + 5 * PAGE - 1, base + 7 * PAGE + 1, ACCESS_IN_USE);
    for (int page = 0; page < 12; page++)
        assert_int_equal(flags_at(base + page * PAGE), page >= 4 && page <= 7 ? ACCESS_IN_USE : 0);
    pages_mark_range(base, base, ACCESS_IN_USE);
    assert_int_equal(flags_at(base), 0);
}

static void flags_are_independent(void **state)
{
    (void)state;
    uint64_t address = 40 * PAGE + 17;
    pages_mark_range(address, address + 1, ACCESS_IN_USE);
    pages_mark_range(address, address + 1, ACCESS_WINDOW);
    assert_int_equal(flags_at(address), ACCESS_IN_USE | ACCESS_WINDOW);
    pages_clear(address, ACCESS_IN_USE);
    assert_int_equal(flags_at(address), ACCESS_WINDOW);
    pages_clear(address, ACCESS_IN_USE);
    assert_int_equal(flags_at(address), ACCESS_WINDOW);
}

static void the_ends_of_the_address_space(void **state)
{
    (void)state;
    uint64_t last = (UINT64_C(1) << ACCESS_ADDRESS_BITS) - 1;
    pages_mark_range(last, last + 1, ACCESS_IN_USE);
    assert_int_equal(flags_at(last), ACCESS_IN_USE);
    assert_int_equal(flags_at(last - PAGE), 0);
    pages_mark_range(0, 1, ACCESS_WINDOW);
    assert_int_equal(flags_at(0), ACCESS_WINDOW);
}

static void strided_sections_flag_their_whole_range(void **state)
{
    (void)state;
    uint64_t base = UINT64_C(0x550000000000);
    struct section section = {base, 8, 3 * PAGE, 3}; /* touches pages 0, 3, 6 */
    pages_mark(&section, 1, ACCESS_IN_USE);
    assert_int_equal(flags_at(base), ACCESS_IN_USE);
    assert_int_equal(flags_at(base + 6 * PAGE), ACCESS_IN_USE);
    assert_int_equal(flags_at(base + 7 * PAGE), 0);
}

static void clearing_all_makes_marking_possible_again(void **state)
{
    (void)state;
    pages_mark_range(PAGE, 2 * PAGE, ACCESS_IN_USE);
    pages_clear_all();
    assert_int_equal(flags_at(PAGE), 0);
    pages_mark_range(PAGE, 2 * PAGE, ACCESS_IN_USE);
    assert_int_equal(flags_at(PAGE), ACCESS_IN_USE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, NULL, clear)
        TEST(a_range_flags_the_pages_it_touches),
        TEST(flags_are_independent),
        TEST(the_ends_of_the_address_space),
        TEST(strided_sections_flag_their_whole_range),
        TEST(clearing_all_makes_marking_possible_again),
    };
    return cmocka_run_group_tests(tests, reserve, NULL);
}
