/* Delta debugging: what is left fails, and nothing can be left out of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "minimise.h"
#include "stress/random.h"

enum { MOST = 24 };

struct culprits {
    uint64_t needed; /* all of these places must be perturbed */
    int tests;
};

static bool fails(void *context, const size_t *places, size_t count)
{
    struct culprits *culprits = context;
    uint64_t given = 0;
    culprits->tests++;
    for (size_t i = 0; i < count; i++)
        given |= UINT64_C(1) << places[i];
    return (given & culprits->needed) == culprits->needed;
}

static void finds_exactly_the_culprits(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 2000; round++) {
        size_t places[MOST], count = 1 + random_below(&random, MOST);
        struct culprits culprits = {0};
        for (size_t i = 0; i < count; i++)
            places[i] = i;
        for (uint64_t i = 0, n = 1 + random_below(&random, 3); i < n; i++)
            culprits.needed |= UINT64_C(1) << random_below(&random, count);
        size_t left = minimise(places, count, fails, &culprits, 1000);
        assert_int_equal(left, __builtin_popcountll(culprits.needed));
        for (size_t i = 0; i < left; i++)
            assert_true(culprits.needed >> places[i] & 1);
    }
}

static void keeps_to_the_limit_and_what_is_left_fails(void **state)
{
    (void)state;
    size_t places[MOST];
    for (int most = 0; most < 40; most++) {
        struct culprits culprits = {.needed = 1 << 3 | 1 << 17};
        for (size_t i = 0; i < MOST; i++)
            places[i] = i;
        size_t left = minimise(places, MOST, fails, &culprits, most);
        assert_true(culprits.tests <= most);
        assert_true(fails(&culprits, places, left));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_exactly_the_culprits),
        cmocka_unit_test(keeps_to_the_limit_and_what_is_left_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
