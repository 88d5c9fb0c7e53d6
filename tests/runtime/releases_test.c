/* Which updates a fetch is taken to have seen (release_history.c): by hand, and for random updates of one
 * location by four processes. None that was executed before the fetch may be left out, ever; of those that were
 * not, some are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fake_board.h"
#include "../sim/random.h"

enum { WRITERS = 4, PROGRAMS = 20000 };

static void publish(struct board *board, int writer, int number, struct release_value value)
{
    publish_change(board, writer, number, (struct release_change){.value = value});
}

static struct release_value known(uint64_t bytes)
{
    return (struct release_value){1, bytes};
}

static struct release_reading read_by_stranger(uint64_t value)
{
    return (struct release_reading){.value = value, .own = {actor_of(99, 0), 0}, .length = 4};
}

static bool all_news[RELEASE_MOST_ENTRIES + 1];

static bool sees_of(const struct board *board, uint64_t value, int number, const bool *news)
{
    bool is[RELEASE_MOST_ENTRIES + 1];
    struct release_reading reading = read_by_stranger(value);
    reading.news = news;
    release_seen_by(board->entries, board->count, &reading, is);
    for (size_t i = 0; i < board->count; i++)
        if (number_of(&board->entries[i]) == number)
            return is[i];
    return false;
}

static bool sees(const struct board *board, uint64_t value, int number)
{
    return sees_of(board, value, number, NULL);
}

/* ---- by hand ---- */

static void test_a_later_one_is_not_seen(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(0));
    assert_true(sees(&board, 0, 1));
    executed(&board, 1, true);
    publish(&board, 0, 2, known(1));
    assert_true(sees(&board, 0, 1));
    assert_false(sees(&board, 0, 2));
    assert_true(sees(&board, 1, 1));
    assert_true(sees(&board, 1, 2));
}

static void test_one_under_way_may_stand_before_all(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(0)); /* not known to be over */
    publish(&board, 1, 2, known(1));
    assert_true(sees(&board, 0, 2));
    executed(&board, 1, true);
    assert_true(sees(&board, 0, 2)); /* was published before the other was over */
    publish(&board, 1, 3, known(1));
    assert_false(sees(&board, 0, 3));
}

/* A sum that fetches: its value is known when it is over. */
static void test_a_sum_is_known_when_it_is_over(void **state)
{
    (void)state;
    struct board board = {0};
    struct release_value later = {VALUE_LATER, 0};
    publish(&board, 0, 1, later);
    assert_true(sees(&board, 5, 1));
    board.entries[0].change.value = known(5);
    executed(&board, 1, true);
    publish(&board, 0, 2, later);
    assert_true(sees(&board, 5, 2)); /* it may have been 0 that was added */
    board.entries[0].change.value = known(6);
    executed(&board, 2, true);
    assert_true(sees(&board, 5, 1));
    assert_false(sees(&board, 5, 2));
    assert_true(sees(&board, 6, 2));
}

static void test_values_that_nobody_knows_may_be_any(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(0));
    executed(&board, 1, true);
    publish(&board, 0, 2, (struct release_value){0, 0});
    assert_int_equal(board.count, 1);
    assert_true(sees(&board, 0, 2));
}

/* It was there before the first of them: who has read it has seen none. */
static void test_a_value_that_no_update_wrote_is_older(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(0));
    executed(&board, 1, true);
    publish(&board, 0, 2, known(1));
    assert_false(sees(&board, 5, 1));
    assert_false(sees(&board, 5, 2));
}

static bool awaits(const struct board *board, uint64_t value)
{
    struct release_reading reading = read_by_stranger(value);
    return release_awaits(board->entries, board->count, &reading);
}

/* Only where it makes a difference what those under way turn out to have written. */
static void test_what_is_waited_for(void **state)
{
    (void)state;
    struct board board = {0};
    struct release_value later = {VALUE_LATER, 0};
    publish(&board, 0, 1, known(5));
    assert_false(awaits(&board, 5)); /* it is what was read, over or not */
    assert_false(awaits(&board, 4));
    publish(&board, 1, 2, known(6));
    assert_true(awaits(&board, 5)); /* the other may have come before it */
    executed(&board, 1, true);
    assert_false(awaits(&board, 5)); /* it was published before the first was over: so it stays */
    publish(&board, 0, 3, later);
    assert_true(awaits(&board, 5));
    board.entries[0].change.value = known(7);
    executed(&board, 3, true);
    assert_false(awaits(&board, 5));
    assert_false(sees(&board, 5, 3));
}

/* A swap that is under way may fail, and was not what was read then. */
static void test_a_swap_is_waited_for(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(1));
    executed(&board, 1, true);
    publish(&board, 1, 2, (struct release_value){VALUE_MAYBE, 1});
    assert_true(sees(&board, 1, 2));
    assert_true(awaits(&board, 1));
    assert_false(awaits(&board, 5));
    executed(&board, 2, false);
    assert_false(awaits(&board, 1));
}

static struct release_change swap(uint64_t compare, uint64_t bytes)
{
    return (struct release_change){.value = {VALUE_MAYBE, bytes}, .operand = compare};
}

static struct release_change sum(uint64_t operand)
{
    return (struct release_change){
        .value = {VALUE_LATER, 0}, .operand = operand, .op = RELEASE_SUM};
}

/* It could not have found what it compares with, however long it is under way. */
static void test_a_swap_finds_what_somebody_wrote(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(1));
    executed(&board, 1, true);
    publish_change(&board, 0, 2, swap(9, 1));
    assert_false(sees_of(&board, 1, 2, all_news));
    assert_true(sees_of(&board, 1, 1, all_news));
    assert_true(sees(&board, 1, 2)); /* somebody may have stored 9 meanwhile */
    struct release_reading reading = read_by_stranger(1);
    reading.news = all_news;
    assert_false(release_awaits(board.entries, board.count, &reading));

    publish_change(&board, 1, 3, swap(1, 9)); /* may have made 9 of what the first wrote */
    assert_true(sees_of(&board, 1, 2, all_news));
    publish_change(&board, 2, 4, sum(4));
    executed(&board, 3, false);
    assert_false(sees_of(&board, 1, 2, all_news)); /* 5 at most */
    publish_change(&board, 3, 5, sum(4));
    assert_true(sees_of(&board, 1, 2, all_news)); /* and 9 with both */
}

static void test_a_sum_finds_what_somebody_wrote(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(2));
    executed(&board, 1, true);
    publish(&board, 0, 2, known(3));
    executed(&board, 2, true);
    publish_change(&board, 1, 3, sum(1));
    assert_false(sees_of(&board, 3, 3, all_news)); /* 4 at least: 2 had gone */
    assert_true(sees_of(&board, 4, 3, all_news));
    publish(&board, 2, 4, known(2)); /* under way */
    assert_true(sees_of(&board, 3, 3, all_news));
    publish(&board, 2, 5, (struct release_value){0, 0});
    assert_true(sees_of(&board, 7, 3, all_news));
}

/* Boards stand for more than one place. */
static void test_another_place_is_not_seen(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(1));
    board.entries[0].change.address = 4;
    assert_false(sees(&board, 1, 1));
    publish_change(&board, 0, 2, swap(9, 1));
    executed(&board, 1, true);
    publish_change(&board, 0, 3, swap(9, 1));
    assert_true(sees_of(&board, 1, 3, all_news)); /* it is no fence here */
}

static void test_what_came_while_waiting_is_left_out(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(5));
    uint64_t until = release_count(board.entries, board.count);
    publish(&board, 1, 2, known(5));
    board.count = release_leave_until(board.entries, board.count, until);
    assert_int_equal(board.count, 1);
    assert_true(sees(&board, 5, 1));
}

static void test_a_swap_that_failed_is_none(void **state)
{
    (void)state;
    struct board board = {0};
    publish(&board, 0, 1, known(0));
    executed(&board, 1, true);
    publish(&board, 0, 2, known(0));
    assert_true(sees(&board, 0, 2));
    executed(&board, 2, false);
    assert_int_equal(board.count, 1);
    assert_true(sees(&board, 0, 1));
}

static void test_the_oldest_that_is_kept_stands_for_those_before(void **state)
{
    (void)state;
    struct board board = {0};
    for (int i = 1; i <= RELEASE_KEPT + 1; i++) {
        publish(&board, 0, i, known((uint64_t)i));
        executed(&board, i, true);
    }
    assert_int_equal(board.count, RELEASE_KEPT);
    assert_true(sees(&board, 1, 2)); /* the first has gone: the second may have been what was read */
    assert_false(sees(&board, 1, 3));
    assert_false(sees(&board, 3, 4));
}

/* More than are kept, with no flush between them: when they are complete, that is known. */
static void test_many_under_way_are_over_at_last(void **state)
{
    (void)state;
    struct board board = {0};
    for (int i = 1; i <= RELEASE_KEPT + 1; i++)
        publish(&board, 0, i, known((uint64_t)i));
    for (int i = 1; i <= RELEASE_KEPT + 1; i++)
        executed(&board, i, true);
    publish(&board, 0, RELEASE_KEPT + 2, known(50));
    assert_true(sees(&board, 40, RELEASE_KEPT + 2)); /* what is gone may be under way for ever */
    uint64_t over = release_count(board.entries, board.count);
    board.count--;
    memmove(board.entries, board.entries + 1, board.count * sizeof board.entries[0]);
    assert_true(release_all_over(board.entries, board.count, 0, over));
    publish(&board, 0, RELEASE_KEPT + 2, known(50));
    assert_false(sees(&board, 40, RELEASE_KEPT + 2));
    assert_false(release_all_over(board.entries, board.count, 0, over));
}

/* ---- values ---- */

static uint64_t wrote(enum release_op op, uint64_t found, uint64_t operand, uint64_t size)
{
    return release_value_written(op, found, operand, size).bytes;
}

static void test_values(void **state)
{
    (void)state;
    const uint64_t minus_1 = UINT32_MAX;
    assert_int_equal(wrote(RELEASE_SUM, minus_1, 2, 4), 1);
    assert_int_equal(wrote(RELEASE_SUM, UINT64_MAX, 2, 8), 1);
    assert_int_equal(wrote(RELEASE_AND, 6, 3, 4), 2);
    assert_int_equal(wrote(RELEASE_OR, 6, 3, 4), 7);
    assert_int_equal(wrote(RELEASE_XOR, 6, 3, 4), 5);
    assert_int_equal(wrote(RELEASE_MIN, minus_1, 2, 4), minus_1);
    assert_int_equal(wrote(RELEASE_MAX, minus_1, 2, 4), 2);
    assert_int_equal(wrote(RELEASE_MIN, minus_1, 2, 8), 2);
    assert_int_equal(wrote(RELEASE_MIN_UNSIGNED, minus_1, 2, 4), 2);
    assert_int_equal(wrote(RELEASE_MAX_UNSIGNED, minus_1, 2, 4), minus_1);
}

/* ---- at random ---- */

struct update {
    int writer;
    enum { REPLACES, SWAPS, ADDS } what;
    uint64_t operand, compare, wrote;
    bool failed;
    uint64_t at; /* when it was executed, by the order of execution; 0: not yet */
};

static struct update updates[UPDATES + 1];

struct world {
    struct random random;
    struct board board;
    uint64_t value, steps;
    int nupdates, under_way[WRITERS]; /* number, 0: none */
    unsigned adds; /* per cent of the updates */
    bool asked;    /* these say what they found; else nobody knows what they write */
    bool news;     /* nobody who fetches has heard of any */
    unsigned long looked, too_much, of;
};

static void execute(struct world *world, struct update *update)
{
    update->at = ++world->steps;
    if (update->what == SWAPS)
        update->failed = world->value != update->compare;
    if (update->what == ADDS)
        world->value += update->operand;
    else if (!update->failed)
        world->value = update->operand;
    update->wrote = world->value;
}

static void tell_value(struct board *board, int number)
{
    for (size_t i = 0; i < board->count; i++)
        if (number_of(&board->entries[i]) == number && board->entries[i].change.value.known == VALUE_LATER)
            board->entries[i].change.value = known(updates[number].wrote);
}

static void step(struct world *world)
{
    int writer = (int)random_below(&world->random, WRITERS), number = world->under_way[writer];
    struct update *update = &updates[number];
    if (number && !update->at) {
        execute(world, update);
    } else if (number) {
        tell_value(&world->board, number);
        if (update->what != ADDS || world->asked)
            executed(&world->board, number, !update->failed);
        world->under_way[writer] = 0;
    } else if (world->nupdates < UPDATES) {
        number = world->under_way[writer] = ++world->nupdates;
        updates[number] =
            (struct update){.writer = writer,
                            .what = random_chance(&world->random, world->adds)    ? ADDS
                                    : random_chance(&world->random, 50) ? SWAPS
                                                                        : REPLACES,
                            .operand = random_below(&world->random, 3),
                            .compare = random_below(&world->random, 3)};
        struct release_change change = {.value = {VALUE_KNOWN, updates[number].operand}};
        if (updates[number].what == SWAPS)
            change = swap(updates[number].compare, updates[number].operand);
        else if (updates[number].what == ADDS)
            change = world->asked ? sum(updates[number].operand) : (struct release_change){0};
        publish_change(&world->board, writer, number, change);
    }
}

/* A fetch that was executed at `then` and got `value` looks. What it sees of a process is the latest of its
 * updates that count, and all before it. */
static void look(struct world *world, uint64_t then, uint64_t value)
{
    bool is[RELEASE_MOST_ENTRIES + 1];
    int last[WRITERS] = {0};
    struct release_reading reading = read_by_stranger(value);
    reading.news = world->news ? all_news : NULL;
    release_seen_by(world->board.entries, world->board.count, &reading, is);
    for (size_t i = 0; i < world->board.count; i++) {
        int number = number_of(&world->board.entries[i]);
        if (is[i] && number > last[updates[number].writer])
            last[updates[number].writer] = number;
    }
    world->looked++;
    for (int n = 1; n <= world->nupdates; n++) {
        const struct update *update = &updates[n];
        bool before = update->at && update->at <= then && !update->failed;
        bool counts = n <= last[update->writer];
        if (before && !counts)
            fail_msg("update %d was executed before the fetch, and is left out", n);
        world->of += !before && !update->failed;
        world->too_much += !before && !update->failed && counts;
    }
}

/* None that was seen is left out (look). How many are taken for seen without need: returned, in
 * percent. */
static unsigned long try_random(unsigned adds, bool asked, bool news)
{
    unsigned long of = 0, too_much = 0, looked = 0;
    for (uint64_t program = 0; program < PROGRAMS; program++) {
        struct world world = {.random = {program}, .adds = adds, .asked = asked, .news = news};
        memset(updates, 0, sizeof updates);
        while (world.nupdates < UPDATES) {
            unsigned before = random_below(&world.random, 60), then = random_below(&world.random, 8);
            for (unsigned i = 0; i < before; i++)
                step(&world);
            uint64_t at = world.steps, value = world.value;
            for (unsigned i = 0; i < then; i++)
                step(&world);
            look(&world, at, value);
        }
        of += world.of;
        too_much += world.too_much;
        looked += world.looked;
    }
    printf("%lu fetches: %lu updates came after them, %lu of these were taken for seen\n", looked, of,
           too_much);
    return too_much * 100 / of;
}

static void test_random(void **state)
{
    (void)state;
    unsigned long heard = try_random(0, false, false);
    assert_in_range(heard, 0, 89);
    assert_true(try_random(0, false, true) < heard);
    unsigned long unknown = try_random(50, false, false), asked = try_random(50, true, false);
    assert_true(asked < unknown);
    assert_true(try_random(50, true, true) < asked);
}

int main(void)
{
    memset(all_news, true, sizeof all_news);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_later_one_is_not_seen),
        cmocka_unit_test(test_one_under_way_may_stand_before_all),
        cmocka_unit_test(test_a_sum_is_known_when_it_is_over),
        cmocka_unit_test(test_values_that_nobody_knows_may_be_any),
        cmocka_unit_test(test_a_value_that_no_update_wrote_is_older),
        cmocka_unit_test(test_what_is_waited_for),
        cmocka_unit_test(test_a_swap_is_waited_for),
        cmocka_unit_test(test_a_swap_finds_what_somebody_wrote),
        cmocka_unit_test(test_a_sum_finds_what_somebody_wrote),
        cmocka_unit_test(test_another_place_is_not_seen),
        cmocka_unit_test(test_what_came_while_waiting_is_left_out),
        cmocka_unit_test(test_a_swap_that_failed_is_none),
        cmocka_unit_test(test_the_oldest_that_is_kept_stands_for_those_before),
        cmocka_unit_test(test_many_under_way_are_over_at_last),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
