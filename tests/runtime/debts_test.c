/* What a rank knows of batches under way: this process is rank 2 of 4. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#include "engine/encoding.h"
#include "debts.h"

struct entry {
    uint32_t origin, target;
    uint64_t count;
};

static struct writer out;

/* What another rank says. */
static struct reader told(uint64_t era, const struct entry *entries, size_t n)
{
    out.size = 0;
    write_number(&out, era);
    for (size_t i = 0; i < n; i++) {
        write_number(&out, entries[i].origin);
        write_number(&out, entries[i].target);
        write_number(&out, entries[i].count);
    }
    return reader_of(out.bytes, out.size);
}

/* What this rank says to another: the era and its entries, newest first. */
static size_t says(uint32_t to, struct entry *entries, size_t room)
{
    out.size = 0;
    debts_write_news(&out, to);
    struct reader in = reader_of(out.bytes, out.size);
    read_number(&in);
    size_t n = 0;
    while (bytes_left(&in) > 0) {
        assert_true(n < room);
        entries[n].origin = (uint32_t)read_number(&in);
        entries[n].target = (uint32_t)read_number(&in);
        entries[n].count = read_number(&in);
        n++;
    }
    assert_true(read_whole(&in));
    return n;
}

static void test_needs_are_what_is_missing_here(void **state)
{
    (void)state;
    struct needs needs = {0};
    struct reader in = told(0, (struct entry[]){{0, 2, 2}, {0, 3, 5}}, 2);
    debts_read(&in, &needs);
    assert_int_equal(needs.count, 1);
    assert_int_equal(needs.list[0].origin, 0);
    debts_opened(0);
    assert_false(debt_is_paid(&needs.list[0]));
    debts_opened(0);
    assert_true(debt_is_paid(&needs.list[0]));
    needs.count = 0;
    in = told(0, (struct entry[]){{0, 2, 2}}, 1);
    debts_read(&in, &needs);
    assert_int_equal(needs.count, 0);
    free(needs.list);
}

static void test_news_are_told_once_to_each(void **state)
{
    (void)state;
    struct entry entries[8];
    assert_int_equal(says(1, entries, 8), 1); /* of (0, 3); (0, 2) is paid */
    assert_int_equal(entries[0].origin, 0);
    assert_int_equal(entries[0].target, 3);
    assert_int_equal(entries[0].count, 5);
    assert_int_equal(says(1, entries, 8), 0);
    assert_int_equal(says(3, entries, 8), 1);
    assert_int_equal(says(0, entries, 8), 0); /* its own */
    debts_sent(1);
    assert_int_equal(says(1, entries, 8), 0); /* it is in the same stream of letters */
    assert_int_equal(says(3, entries, 8), 1);
    assert_int_equal(entries[0].origin, 2);
    assert_int_equal(entries[0].target, 1);
}

static void test_what_is_owed_here_is_passed_on_until_it_has_come(void **state)
{
    (void)state;
    struct entry entries[8];
    struct needs needs = {0};
    struct reader in = told(0, (struct entry[]){{1, 2, 1}}, 1);
    debts_read(&in, &needs);
    assert_int_equal(says(3, entries, 8), 1); /* a board may bring it back here */
    assert_int_equal(entries[0].target, 2);
    free(needs.list);
}

static void test_an_era_ends_for_what_was_known_in_it(void **state)
{
    (void)state;
    struct entry entries[8];
    struct needs needs = {0};
    struct reader in = told(1, (struct entry[]){{0, 3, 6}}, 1); /* from a rank that is ahead */
    assert_int_equal(debts_read(&in, &needs), 1);
    debts_next_era();
    assert_int_equal(says(1, entries, 8), 1);
    assert_int_equal(entries[0].count, 6);
    in = told(0, (struct entry[]){{1, 2, 9}}, 1); /* an old board */
    debts_read(&in, &needs);
    assert_int_equal(needs.count, 0);
    assert_int_equal(says(3, entries, 8), 1); /* only what the new era has: (0, 3) */
    assert_int_equal(entries[0].count, 6);
    free(needs.list);
}

static int start(void **state)
{
    (void)state;
    debts_start(2, 4);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needs_are_what_is_missing_here),
        cmocka_unit_test(test_news_are_told_once_to_each),
        cmocka_unit_test(test_what_is_owed_here_is_passed_on_until_it_has_come),
        cmocka_unit_test(test_an_era_ends_for_what_was_known_in_it),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
