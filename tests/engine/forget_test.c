/* What is forgotten for want of memory: races with it are missed, all others are found, none is
 * invented. */
#include "unit.h"
#include "world.h"

enum { MEMORY = 0x10000 };

static struct world *two_ranks(void)
{
    struct world *w = world_create(2, true);
    world_window(w, 1, MEMORY, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    return w;
}

static void put_and_flush(struct world *w, uint64_t offset, site_t site)
{
    world_put(w, 0, 1, 1, offset, 8, site);
    engine_flush(w->rank[0], 0, 1, 1);
    world_take_in(w, 1);
}

static void operations_that_are_over(void **state)
{
    (void)state;
    struct world *w = two_ranks();
    put_and_flush(w, 0, 11);
    engine_forget_past(w->rank[1]);
    struct engine_counters counters;
    engine_count(w->rank[1], &counters);
    assert_int_equal(counters.history_nodes, 0);
    put_and_flush(w, 64, 12);
    engine_store(w->rank[1], 0, MEMORY, 8, 21);
    engine_store(w->rank[1], 0, MEMORY + 64, 8, 22);
    assert_int_equal(found(w, 1, ACCESS_PUT, 12, ACCESS_STORE, 22), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void own_stores(void **state)
{
    (void)state;
    struct world *w = two_ranks();
    engine_store(w->rank[1], 0, MEMORY, 8, 21);
    engine_forget_past(w->rank[1]);
    engine_store(w->rank[1], 0, MEMORY + 64, 8, 22);
    put_and_flush(w, 0, 11);
    put_and_flush(w, 64, 12);
    assert_int_equal(found(w, 1, ACCESS_STORE, 22, ACCESS_PUT, 12), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

/* What orders is not forgotten: no race where there is none. */
static void order_stays(void **state)
{
    (void)state;
    struct world *w = two_ranks();
    put_and_flush(w, 0, 11);
    world_message(w, 0, 1);
    engine_forget_past(w->rank[1]);
    engine_store(w->rank[1], 0, MEMORY, 8, 21);
    world_message(w, 1, 0);
    engine_forget_past(w->rank[1]);
    engine_forget_past(w->rank[0]);
    put_and_flush(w, 0, 12);
    assert_int_equal(found_in_all(w), 0);
    world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_that_are_over),
        cmocka_unit_test(own_stores),
        cmocka_unit_test(order_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
