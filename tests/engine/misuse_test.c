/* What the engine finds beside races: memory that is not attached, promises that are broken. */
#include "unit.h"
#include "world.h"

static bool add_of_rule(void *context, const struct finding *finding)
{
    uint64_t *counts = context;
    counts[finding->rule] += finding->count;
    return true;
}

static uint64_t count_of(struct world *w, enum race_rule rule)
{
    uint64_t counts[RACE_RULES] = {0};
    for (uint32_t i = 0; i < w->ranks; i++)
        engine_findings(w->rank[i], add_of_rule, counts);
    return counts[rule];
}

/* ---- attached memory ---- */

static struct world *dynamic_world(void)
{
    struct world *w = world_create(2, true);
    const struct window_info info = {.dynamic = true};
    for (uint32_t i = 0; i < 2; i++)
        engine_window_create(w->rank[i], 1, 0, 0, &info);
    world_barrier(w);
    return w;
}

static uint64_t put_and_count(struct world *w, uint64_t at, uint64_t size)
{
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, at, size, 11);
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    return count_of(w, MISUSE_UNATTACHED);
}

static void operations_know_the_attach(void **state)
{
    (void)state;
    struct world *w = dynamic_world();
    engine_window_attach(w->rank[1], 0, 1, 0x10000, 64);
    world_message(w, 1, 0);
    assert_int_equal(put_and_count(w, 0x10000, 64), 0);
    assert_int_equal(put_and_count(w, 0x10001, 64), 1); /* one byte too far */
    engine_window_attach(w->rank[1], 0, 1, 0x10040, 64);
    assert_int_equal(put_and_count(w, 0x10040, 8), 2); /* nothing tells rank 0 */
    world_message(w, 1, 0);
    assert_int_equal(put_and_count(w, 0x10000, 128), 2); /* two that touch */
    world_destroy(w);
}

static void operations_do_not_know_the_detach(void **state)
{
    (void)state;
    struct world *w = dynamic_world();
    engine_window_attach(w->rank[1], 0, 1, 0x10000, 64);
    world_message(w, 1, 0);
    engine_window_detach(w->rank[1], 0, 1, 0x10000);
    assert_int_equal(put_and_count(w, 0x10000, 8), 0); /* concurrent: another rule's */
    world_message(w, 1, 0);
    assert_int_equal(put_and_count(w, 0x10000, 8), 1);
    engine_window_attach(w->rank[1], 0, 1, 0x10000, 32);
    world_barrier(w);
    assert_int_equal(put_and_count(w, 0x10000, 32), 1);
    assert_int_equal(put_and_count(w, 0x10000, 33), 2);
    world_destroy(w);
}

/* The bytes between the blocks of an operation are not touched. */
static void gaps_need_not_be_attached(void **state)
{
    (void)state;
    struct world *w = dynamic_world();
    struct section bytes = {0x10000, 8, 32, 2};
    struct rma_op op = {.kind = ACCESS_PUT,
                        .window = 1,
                        .target = 1,
                        .sections = &bytes,
                        .section_count = 1,
                        .site = 11};
    engine_window_attach(w->rank[1], 0, 1, 0x10000, 8);
    engine_window_attach(w->rank[1], 0, 1, 0x10020, 8);
    world_message(w, 1, 0);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    engine_rma(w->rank[0], 0, &op, false);
    engine_flush(w->rank[0], 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(count_of(w, MISUSE_UNATTACHED), 0);
    bytes.count = 3;
    engine_rma(w->rank[0], 0, &op, false);
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(count_of(w, MISUSE_UNATTACHED), 1);
    world_destroy(w);
}

/* Without world-wide synchronisation what was detached is not kept for ever. */
static void many_attachments_are_forgotten(void **state)
{
    (void)state;
    struct world *w = dynamic_world();
    for (uint64_t i = 0; i < 1000; i++) {
        engine_window_attach(w->rank[1], 0, 1, 0x10000 + 64 * i, 64);
        engine_window_detach(w->rank[1], 0, 1, 0x10000 + 64 * i);
    }
    assert_int_equal(put_and_count(w, 0x10000, 8), 0); /* it may have been attached */
    world_barrier(w);
    assert_int_equal(put_and_count(w, 0x10000, 8), 1);
    world_destroy(w);
}

/* ---- promises ---- */

static void fence_all(struct world *w, const struct promise *promise)
{
    for (uint32_t i = 0; i < w->ranks; i++)
        engine_fence(w->rank[i], 0, 1, false, promise);
    world_barrier(w);
}

static void no_store_since_the_last_synchronisation(void **state)
{
    (void)state;
    const struct promise promise = {.no_store = true, .site = 31};
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    engine_store(w->rank[1], 0, 0x10000, 8, 21);
    fence_all(w, NULL);
    engine_load(w->rank[1], 0, 0x10000, 8, 22);
    engine_store(w->rank[1], 0, 0x20000, 8, 23); /* no window */
    fence_all(w, &promise);
    assert_int_equal(count_of(w, MISUSE_NO_STORE), 0);
    engine_store(w->rank[1], 0, 0x10008, 8, 24); /* beside the old one */
    fence_all(w, &promise);
    assert_int_equal(count_of(w, MISUSE_NO_STORE), 1);
    engine_store(w->rank[1], 0, 0x10000, 8, 21);
    engine_synchronised(w->rank[1], 0, 1);
    fence_all(w, &promise);
    assert_int_equal(count_of(w, MISUSE_NO_STORE), 1);
    struct section bytes = {0x10010, 8, 0, 1};
    uint64_t buffer = engine_buffer_begin(w->rank[1], 0, &bytes, 1, true, 25);
    engine_buffer_end(w->rank[1], 0, buffer);
    fence_all(w, &promise);
    assert_int_equal(count_of(w, MISUSE_NO_STORE), 2);
    world_destroy(w);
}

static void no_put_in_the_epoch_that_follows(void **state)
{
    (void)state;
    const struct promise promise = {.no_put = true, .site = 31};
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    fence_all(w, &promise);
    world_get(w, 0, 1, 1, 0, 8, 11);
    fence_all(w, NULL);
    world_put(w, 0, 1, 1, 0, 8, 12);
    fence_all(w, &promise);
    assert_int_equal(count_of(w, MISUSE_NO_PUT), 0);
    world_put(w, 0, 1, 1, 0, 8, 13);
    fence_all(w, NULL);
    assert_int_equal(count_of(w, MISUSE_NO_PUT), 1);
    world_destroy(w);
}

static void no_put_in_the_exposure(void **state)
{
    (void)state;
    const struct promise promise = {.no_put = true, .site = 31};
    uint32_t zero = 0, one = 1;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    for (int round = 0; round < 3; round++) {
        engine_post(w->rank[1], 0, 1, &zero, 1, round == 1 ? NULL : &promise);
        engine_start(w->rank[0], 0, 1, &one, 1);
        world_op(w, 0, 0, round ? ACCESS_PUT : ACCESS_GET, 1, 1, 0, 8, 11 + (site_t)round);
        engine_complete(w->rank[0], 0, 1);
        world_message(w, 0, 1);
        engine_wait(w->rank[1], 0, 1);
        assert_int_equal(count_of(w, MISUSE_NO_PUT), round == 2);
    }
    world_destroy(w);
}

/* ---- epochs of both kinds ---- */

static void locked_and_exposed(void **state)
{
    (void)state;
    for (int ordered = 0; ordered < 2; ordered++) {
        struct world *w = world_create(3, true);
        world_window(w, 1, 0x10000, 4096);
        world_barrier(w);
        engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
        world_put(w, 0, 1, 1, 0, 8, 11);
        unlock(w, 0, 1, 1);
        if (ordered)
            world_message(w, 0, 2);
        engine_fence(w->rank[2], 0, 1, true, NULL);
        engine_fence(w->rank[1], 0, 1, true, NULL);
        world_get(w, 2, 1, 1, 64, 8, 12); /* other bytes: no race */
        engine_fence(w->rank[0], 0, 1, true, NULL);
        fence_all(w, NULL);
        assert_int_equal(count_of(w, MISUSE_OVERLAP), !ordered);
        engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
        world_put(w, 0, 1, 1, 0, 8, 13); /* the fence was before */
        unlock(w, 0, 1, 1);
        world_take_in(w, 1);
        assert_int_equal(count_of(w, MISUSE_OVERLAP), !ordered);
        assert_int_equal(found_in_all(w), !ordered);
        world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_know_the_attach),
        cmocka_unit_test(operations_do_not_know_the_detach),
        cmocka_unit_test(gaps_need_not_be_attached),
        cmocka_unit_test(many_attachments_are_forgotten),
        cmocka_unit_test(no_store_since_the_last_synchronisation),
        cmocka_unit_test(no_put_in_the_epoch_that_follows),
        cmocka_unit_test(no_put_in_the_exposure),
        cmocka_unit_test(locked_and_exposed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
