/* Counts of idle channels against a plain table, and that ever new tags take no memory. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "settled.h"

enum { TAGS = 3 * 65536 };

static const struct settled_key one = {1, 0}, other = {1, 1};
static uint8_t kept[TAGS];
static uint64_t state = 1;

static unsigned random_number(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* Whole stretches get the same number, single ones another: pages unite and spread. */
static void gives_back_what_it_got(void **none)
{
    (void)none;
    struct settled *settled = NULL;
    memset(kept, 0, sizeof kept);
    for (int step = 0; step < 400; step++) {
        unsigned length = random_number(3) == 0 ? 1 : random_number(2) ? 700 : 70000;
        unsigned from = random_number(TAGS), to = from + length < TAGS ? from + length : TAGS;
        uint8_t count = (uint8_t)random_number(3);
        for (unsigned tag = from; tag < to; tag++) {
            assert_int_equal(settled_take(&settled, one, (int)tag), kept[tag]);
            assert_true(settled_put(&settled, one, (int)tag, count));
            kept[tag] = count;
        }
    }
    for (unsigned tag = 0; tag < TAGS; tag++) {
        assert_int_equal(settled_take(&settled, other, (int)tag), 0);
        assert_int_equal(settled_take(&settled, one, (int)tag), kept[tag]);
        assert_int_equal(settled_take(&settled, one, (int)tag), 0);
    }
    assert_null(settled);
}

static void refuses_what_it_cannot_count(void **none)
{
    (void)none;
    struct settled *settled = NULL;
    assert_false(settled_put(&settled, one, 5, SETTLED_LIMIT + 1));
    assert_true(settled_put(&settled, one, 0x7fffffff, SETTLED_LIMIT));
    assert_int_equal(settled_take(&settled, one, 0x7fffffff), SETTLED_LIMIT);
    assert_null(settled);
}

static void ever_new_tags_take_no_memory(void **none)
{
    (void)none;
    struct settled *settled = NULL;
    size_t before = mallinfo2().uordblks;
    for (int tag = 0; tag < 1000000; tag++)
        assert_true(settled_put(&settled, one, tag, 1));
    assert_true(mallinfo2().uordblks - before < 8192); /* a page of each level and its table */
    settled_clear(&settled);
    assert_null(settled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_back_what_it_got),
        cmocka_unit_test(refuses_what_it_cannot_count),
        cmocka_unit_test(ever_new_tags_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
