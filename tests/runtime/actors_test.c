/* Actors and what they know of each other: all of them run in turns on one thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "actor_state.h"

__thread struct runtime_thread runtime_here;

/* Each test begins in the first actor, and ends what it forked. */
static struct moment moment_of(uint32_t actor)
{
    actor_run(actor);
    struct moment moment = actor_moment();
    actor_run(0);
    return moment;
}

static bool knows(uint32_t actor, struct moment moment)
{
    actor_run(actor);
    bool known = actor_knows(moment);
    actor_run(0);
    return known;
}

static void give(uint32_t actor, struct sync *sync)
{
    actor_run(actor);
    sync_release(sync);
    actor_run(0);
}

static void take(uint32_t actor, struct sync *sync)
{
    actor_run(actor);
    sync_acquire(sync);
    actor_run(0);
}

static void join(uint32_t actor)
{
    actor_end(actor);
    actor_learn(actor);
}

static void children_know_their_past(void **state)
{
    (void)state;
    struct moment before = actor_moment();
    uint32_t child = actor_fork();
    struct moment after = actor_moment();
    assert_true(knows(child, before));
    assert_false(knows(child, after));
    struct moment inside = moment_of(child);
    assert_false(actor_knows(inside));
    join(child);
    assert_true(actor_knows(inside));
}

static void objects_carry_knowledge(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork();
    struct sync *sync = sync_new();
    struct moment early = moment_of(a);
    give(a, sync);
    struct moment late = moment_of(a);
    assert_false(knows(b, early));
    take(b, sync);
    assert_true(knows(b, early));
    assert_false(knows(b, late));
    join(a);
    join(b);
    sync_free(sync);
}

/* One actor gives again and again, as in a mutex that nobody else wants; then another takes. */
static void the_latest_release_counts(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork(), c = actor_fork();
    struct sync *sync = sync_new(), *other = sync_new();
    struct moment of_c = moment_of(c);
    give(a, sync);
    give(c, other);
    take(a, other); /* it learns in between */
    give(a, sync);
    struct moment last = moment_of(a);
    give(a, sync);
    take(b, sync);
    assert_true(knows(b, of_c));
    assert_true(knows(b, last));
    join(a);
    join(b);
    join(c);
    sync_free(sync);
    sync_free(other);
}

/* What two leave without knowing of each other is joined, not replaced. */
static void releases_are_joined(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork(), c = actor_fork();
    struct sync *sync = sync_new();
    struct moment of_a = moment_of(a), of_b = moment_of(b);
    give(a, sync);
    give(b, sync);
    take(c, sync);
    assert_true(knows(c, of_a));
    assert_true(knows(c, of_b));
    assert_false(knows(b, of_a));
    join(a);
    join(b);
    join(c);
    sync_free(sync);
}

/* Who comes to a barrier again before others have left it gives them nothing. */
static void barriers_have_two_phases(void **state)
{
    (void)state;
    static int barrier;
    uint32_t a = actor_fork(), b = actor_fork();
    barrier_prepare(&barrier, 2);
    for (int round = 0; round < 5; round++) {
        struct moment before = moment_of(a);
        actor_run(a);
        struct sync *of_a = barrier_arrive(&barrier);
        actor_run(b);
        struct sync *of_b = barrier_arrive(&barrier);
        actor_run(a);
        sync_acquire(of_a);
        struct moment between = actor_moment();
        struct sync *next = barrier_arrive(&barrier);
        actor_run(b);
        sync_acquire(of_b);
        assert_true(actor_knows(before));
        assert_false(actor_knows(between));
        struct sync *next_of_b = barrier_arrive(&barrier);
        sync_acquire(next_of_b);
        assert_true(actor_knows(between));
        actor_run(a);
        sync_acquire(next);
        actor_run(0);
    }
    join(a);
    join(b);
}

/* A number is used again only by somebody who comes after all that its last actor did. */
static void numbers_are_used_again(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork();
    struct moment of_a = moment_of(a);
    actor_end(a);
    uint32_t c = actor_fork(); /* nobody has learnt that a has ended */
    assert_int_not_equal(c, a);
    assert_false(actor_knows(of_a));
    actor_learn(a);
    uint32_t d = actor_fork();
    assert_int_equal(d, a);
    struct moment of_d = moment_of(d);
    assert_true(knows(d, of_a));
    assert_false(knows(b, of_a));
    assert_false(knows(b, of_d));
    join(b);
    join(c);
    join(d);
}

static void pasts_stay_as_they_were(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork();
    struct sync *sync = sync_new();
    actor_run(b);
    struct past *before = actor_past();
    actor_run(0);
    struct moment of_a = moment_of(a);
    give(a, sync);
    take(b, sync);
    actor_run(b);
    struct past *after = actor_past();
    actor_run(0);
    assert_false(past_knows(before, of_a));
    assert_true(past_knows(after, of_a));
    past_drop(before);
    past_drop(after);
    join(a);
    join(b);
    sync_free(sync);
}

static void what_all_know_can_be_forgotten(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork();
    struct sync *sync = sync_new();
    struct moment of_a = moment_of(a);
    give(a, sync);
    take(b, sync);
    assert_false(actors_all_know(of_a));
    take(0, sync);
    assert_true(actors_all_know(of_a));
    assert_int_equal(actors_alive(), 3);
    join(a);
    join(b);
    assert_int_equal(actors_alive(), 1);
    sync_free(sync);
}

/* Locks order like everything else, but not surely. */
static void locks_order_by_luck(void **state)
{
    (void)state;
    uint32_t a = actor_fork(), b = actor_fork();
    struct sync *lock = sync_new();
    struct moment of_a = moment_of(a);
    actor_run(a);
    lock_acquired(lock);
    struct held_locks first = actor_locks();
    lock_released(lock);
    assert_int_equal(actor_locks().count, 0);
    actor_run(b);
    struct held_locks none = actor_locks();
    lock_acquired(lock);
    struct held_locks second = actor_locks();
    assert_true(actor_knows(of_a));
    assert_false(actor_surely_knows(of_a));
    assert_true(locks_meet(&first, &second));
    assert_false(locks_meet(&first, &none));
    lock_released(lock);
    actor_run(0);
    join(a);
    assert_true(actor_surely_knows(of_a));
    join(b);
    sync_free(lock);
}

static void addresses_have_roles(void **state)
{
    (void)state;
    static int object;
    assert_ptr_equal(sync_at(&object, SYNC_LOCK), sync_at(&object, SYNC_LOCK));
    assert_ptr_not_equal(sync_at(&object, SYNC_LOCK), sync_at(&object, SYNC_READERS));
    uint32_t a = actor_fork();
    struct moment of_a = moment_of(a);
    give(a, sync_at(&object, SYNC_LOCK));
    sync_renew(&object);
    take(0, sync_at(&object, SYNC_LOCK));
    assert_false(actor_knows(of_a));
    join(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_know_their_past),
        cmocka_unit_test(objects_carry_knowledge),
        cmocka_unit_test(the_latest_release_counts),
        cmocka_unit_test(releases_are_joined),
        cmocka_unit_test(barriers_have_two_phases),
        cmocka_unit_test(numbers_are_used_again),
        cmocka_unit_test(pasts_stay_as_they_were),
        cmocka_unit_test(what_all_know_can_be_forgotten),
        cmocka_unit_test(locks_order_by_luck),
        cmocka_unit_test(addresses_have_roles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
