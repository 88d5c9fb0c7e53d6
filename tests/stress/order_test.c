/* The order in which operations are issued: always a permutation, accumulates of one place in program order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "order.h"
#include "random.h"

enum { MOST = 40, ROUNDS = 3000 };

static size_t draw_operations(struct placed *operations, uint64_t *random)
{
    size_t count = random_below(random, MOST + 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t low = random_below(random, 60);
        operations[i] = (struct placed){.kind = (enum operation_kind)random_below(random, 6),
                                        .target = (int)random_below(random, 3),
                                        .low = low,
                                        .high = low + random_below(random, 9),
                                        .class = 1234};
    }
    return count;
}

static bool must_keep_order(const struct placed *a, const struct placed *b)
{
    return is_accumulate(a->kind) && is_accumulate(b->kind) && a->target == b->target && a->low < b->high &&
           b->low < a->high && a->low < a->high && b->low < b->high;
}

static void assert_permutation(const size_t *order, size_t count)
{
    bool seen[MOST] = {false};
    for (size_t i = 0; i < count; i++) {
        assert_true(order[i] < count);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

static void accumulates_keep_their_order(void **state)
{
    (void)state;
    uint64_t random = 5;
    struct placed operations[MOST];
    size_t order[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = draw_operations(operations, &random);
        enum issue_order how = (enum issue_order)(round % 5);
        assert_true(order_classes(operations, count));
        assert_true(order_choose(operations, count, how, false, &random, order));
        assert_permutation(order, count);
        for (size_t i = 0; i < count; i++)
            for (size_t j = i + 1; j < count; j++)
                if (order[i] > order[j])
                    assert_false(must_keep_order(&operations[order[i]], &operations[order[j]]));
    }
}

static void overlapping_accumulates_share_a_class(void **state)
{
    (void)state;
    uint64_t random = 6;
    struct placed operations[MOST];
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = draw_operations(operations, &random);
        assert_true(order_classes(operations, count));
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                if (must_keep_order(&operations[i], &operations[j]))
                    assert_int_equal(operations[i].class, operations[j].class);
    }
}

static void put(struct placed *operation, enum operation_kind kind, uint64_t low)
{
    *operation = (struct placed){.kind = kind, .low = low, .high = low + 4};
}

static void each_order_is_what_its_name_says(void **state)
{
    (void)state;
    uint64_t random = 7;
    struct placed operations[4];
    size_t order[4];
    put(&operations[0], OPERATION_PUT, 0);
    put(&operations[1], OPERATION_GET, 0);
    put(&operations[2], OPERATION_ACCUMULATE, 0);
    put(&operations[3], OPERATION_ACCUMULATE, 8);
    order_classes(operations, 4);
    order_choose(operations, 4, ORDER_REVERSE, false, &random, order);
    assert_memory_equal(order, ((size_t[]){3, 2, 1, 0}), sizeof order);
    order_choose(operations, 4, ORDER_AS_IS, false, &random, order);
    assert_memory_equal(order, ((size_t[]){0, 1, 2, 3}), sizeof order);
    order_choose(operations, 4, ORDER_GET_FIRST, false, &random, order);
    assert_int_equal(order[0], 1);
    order_choose(operations, 4, ORDER_PUT_FIRST, false, &random, order);
    assert_int_equal(order[3], 1);
}

static void one_place_is_reversed_only_without_ordering(void **state)
{
    (void)state;
    uint64_t random = 8;
    struct placed operations[3];
    size_t order[3];
    for (int i = 0; i < 3; i++)
        put(&operations[i], i == 1 ? OPERATION_FETCH_AND_OP : OPERATION_ACCUMULATE, 16);
    order_classes(operations, 3);
    order_choose(operations, 3, ORDER_REVERSE, false, &random, order);
    assert_memory_equal(order, ((size_t[]){0, 1, 2}), sizeof order);
    order_choose(operations, 3, ORDER_REVERSE, true, &random, order);
    assert_memory_equal(order, ((size_t[]){2, 1, 0}), sizeof order);
}

static void equal_seeds_give_equal_orders(void **state)
{
    (void)state;
    uint64_t draws = 9, one = 77, two = 77;
    struct placed operations[MOST];
    size_t first[MOST], second[MOST];
    size_t count = draw_operations(operations, &draws);
    order_classes(operations, count);
    order_choose(operations, count, ORDER_RANDOM, false, &one, first);
    order_choose(operations, count, ORDER_RANDOM, false, &two, second);
    assert_memory_equal(first, second, count * sizeof *first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accumulates_keep_their_order),
        cmocka_unit_test(overlapping_accumulates_share_a_class),
        cmocka_unit_test(each_order_is_what_its_name_says),
        cmocka_unit_test(one_place_is_reversed_only_without_ordering),
        cmocka_unit_test(equal_seeds_give_equal_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
