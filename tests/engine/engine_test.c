/* The engine by hand: a few ranks, each rule once with its race-free twin. */
#include "shadow.h"
#include "unit.h"
#include "world.h"

static void put_against_unordered_store(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0, 8, 11);
    unlock(w, 0, 1, 1);
    engine_store(w->rank[1], 0, 0x10000 + 4, 8, 22);
    world_barrier(w);
    assert_int_equal(found(w, 1, ACCESS_STORE, 22, ACCESS_PUT, 11), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static bool note_epoch(void *context, const struct finding *finding)
{
    const struct access_side *side =
        finding->first.kind == ACCESS_PUT ? &finding->first : &finding->second;
    *(enum epoch_kind *)context = side->epoch;
    return true;
}

/* The epoch is that of the operation, whatever the window was used with before. */
static void finding_tells_the_epoch_of_the_operation(void **state)
{
    (void)state;
    uint32_t zero = 0, one = 1;
    for (enum epoch_kind kind = EPOCH_FENCE; kind <= EPOCH_LOCK; kind++) {
        struct world *w = world_create(2, true);
        world_window(w, 1, 0x10000, 4096);
        for (uint32_t rank = 0; rank < 2; rank++)
            engine_fence(w->rank[rank], 0, 1, false, NULL);
        world_barrier(w);
        if (kind == EPOCH_EXPOSURE) {
            engine_post(w->rank[1], 0, 1, &zero, 1, NULL);
            engine_start(w->rank[0], 0, 1, &one, 1);
        } else if (kind == EPOCH_LOCK) {
            engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
        }
        world_put(w, 0, 1, 1, 0, 8, 11);
        if (kind == EPOCH_EXPOSURE)
            engine_complete(w->rank[0], 0, 1);
        else if (kind == EPOCH_LOCK)
            unlock(w, 0, 1, 1);
        engine_store(w->rank[1], 0, 0x10000, 8, 22);
        world_barrier(w);
        enum epoch_kind told = EPOCH_NONE;
        engine_findings(w->rank[1], note_epoch, &told);
        assert_int_equal(told, kind);
        world_destroy(w);
    }
}

static void put_then_barrier_then_store(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0, 8, 11);
    unlock(w, 0, 1, 1);
    world_barrier(w);
    engine_store(w->rank[1], 0, 0x10000 + 4, 8, 22);
    assert_int_equal(found_in_all(w), 0);
    struct engine_counters counters;
    engine_count(w->rank[1], &counters);
    assert_int_equal(counters.history_nodes, 0); /* dropped at the barrier */
    world_destroy(w);
}

static void message_orders_only_what_came_before(void **state)
{
    (void)state;
    struct world *w = world_create(3, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, RANK_ALL, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0, 8, 11);
    engine_flush(w->rank[0], 0, 1, 1);
    world_message(w, 0, 2);
    world_put(w, 0, 1, 1, 64, 8, 12); /* after the message */
    engine_flush(w->rank[0], 0, 1, 1);
    engine_lock(w->rank[2], 0, 1, RANK_ALL, LOCK_SHARED);
    world_put(w, 2, 1, 1, 0, 8, 21);
    world_put(w, 2, 1, 1, 64, 8, 22);
    engine_flush(w->rank[2], 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(found(w, 1, ACCESS_PUT, 12, ACCESS_PUT, 22), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void same_origin_without_flush(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_EXCLUSIVE);
    world_put(w, 0, 1, 1, 0, 8, 11);
    world_put(w, 0, 1, 1, 7, 2, 12); /* one byte in common */
    engine_flush(w->rank[0], 0, 1, 1);
    world_put(w, 0, 1, 1, 0, 8, 13); /* after the flush */
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(found(w, 1, ACCESS_PUT, 11, ACCESS_PUT, 12), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void repeated_put_races_with_itself(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_EXCLUSIVE);
    for (int i = 0; i < 1000; i++)
        world_put(w, 0, 1, 1, 8, 8, 11);
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(found(w, 1, ACCESS_PUT, 11, ACCESS_PUT, 11), 1);
    struct engine_counters counters;
    engine_count(w->rank[0], &counters);
    assert_true(counters.records_sent <= 2); /* two stand for all */
    world_destroy(w);
}

static void sites_are_not_forgotten(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    for (int round = 0; round < 3; round++)
        for (uint64_t site = 1; site <= 5; site++)
            engine_load(w->rank[1], 0, 0x10000, 8, site);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0, 8, 11);
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    for (uint64_t site = 1; site <= 5; site++)
        assert_int_equal(found(w, 1, ACCESS_LOAD, site, ACCESS_PUT, 11), 1);
    assert_int_equal(found_in_all(w), 5);
    world_destroy(w);
}

static void pending_puts_are_seen_across_barriers(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_lock(w->rank[0], 0, 1, RANK_ALL, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0, 8, 11);
    world_barrier(w);
    engine_load(w->rank[1], 0, 0x10000, 4, 22); /* the put is still not flushed */
    world_barrier(w);
    engine_flush(w->rank[0], 0, 1, 1);
    world_barrier(w);
    engine_load(w->rank[1], 0, 0x10000, 4, 23);
    assert_int_equal(found(w, 1, ACCESS_PUT, 11, ACCESS_LOAD, 22), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void lock_order_counts_where_information_passes(void **state)
{
    (void)state;
    for (int read = 0; read < 2; read++) {
        struct world *w = world_create(3, true);
        world_window(w, 1, 0x10000, 4096);
        world_barrier(w);
        engine_store(w->rank[0], 0, 0x10000, 8, 10); /* rank 0's own memory */
        lock(w, 0, 1, 2, LOCK_EXCLUSIVE);
        world_put(w, 0, 1, 2, 0, 8, 11);
        unlock(w, 0, 1, 2);
        lock(w, 1, 1, 2, LOCK_EXCLUSIVE);
        if (read)
            world_get(w, 1, 1, 2, 512, 8, 20);
        unlock(w, 1, 1, 2);
        engine_lock(w->rank[1], 0, 1, 0, LOCK_SHARED);
        world_put(w, 1, 1, 0, 0, 8, 21);
        unlock(w, 1, 1, 0);
        world_barrier(w);
        assert_int_equal(found_in_all(w), read ? 0 : 1);
        world_destroy(w);
    }
}

static void the_same_load_in_the_next_epoch_reads_again(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    lock(w, 1, 1, 1, LOCK_EXCLUSIVE);
    engine_load(w->rank[1], 0, 0x10000, 8, 20);
    unlock(w, 1, 1, 1);
    engine_store(w->rank[0], 0, 0x10040, 8, 10); /* rank 0's own memory */
    lock(w, 0, 1, 1, LOCK_EXCLUSIVE);
    world_put(w, 0, 1, 1, 0, 8, 11);
    unlock(w, 0, 1, 1);
    lock(w, 1, 1, 1, LOCK_EXCLUSIVE);
    engine_load(w->rank[1], 0, 0x10000, 8, 20); /* sees the put, so what came before it is known */
    unlock(w, 1, 1, 1);
    engine_lock(w->rank[1], 0, 1, 0, LOCK_SHARED);
    world_put(w, 1, 1, 0, 64, 8, 21);
    unlock(w, 1, 1, 0);
    world_barrier(w);
    assert_int_equal(found_in_all(w), 0);
    world_destroy(w);
}

static void buffer_outlasts_its_lock(void **state)
{
    (void)state;
    for (int outlasts = 0; outlasts < 2; outlasts++) {
        struct world *w = world_create(2, true);
        struct section bytes = {0x10000, 8, 0, 1};
        world_window(w, 1, 0x10000, 4096);
        world_barrier(w);
        lock(w, 0, 1, 1, LOCK_EXCLUSIVE);
        world_put(w, 0, 1, 1, 0, 8, 11);
        unlock(w, 0, 1, 1);
        lock(w, 1, 1, 1, LOCK_SHARED);
        uint64_t buffer = engine_buffer_begin(w->rank[1], 0, &bytes, 1, false, 21);
        if (!outlasts)
            engine_buffer_end(w->rank[1], 0, buffer);
        unlock(w, 1, 1, 1);
        if (outlasts)
            engine_buffer_end(w->rank[1], 0, buffer);
        assert_int_equal(found_in_all(w), outlasts);
        world_destroy(w);
    }
}

static void locks_keep_out(void **state)
{
    (void)state;
    struct world *w = world_create(3, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    lock(w, 0, 1, 2, LOCK_EXCLUSIVE);
    world_put(w, 0, 1, 2, 0, 8, 11);
    unlock(w, 0, 1, 2);
    lock(w, 1, 1, 2, LOCK_SHARED);
    world_put(w, 1, 1, 2, 0, 8, 21);
    unlock(w, 1, 1, 2);
    lock(w, 2, 1, 2, LOCK_SHARED);
    engine_store(w->rank[2], 0, 0x10000, 8, 31); /* with 11 excluded, with 21 not */
    unlock(w, 2, 1, 2);
    world_take_in(w, 2);
    assert_int_equal(found(w, 2, ACCESS_STORE, 31, ACCESS_PUT, 21) +
                         found(w, 2, ACCESS_PUT, 21, ACCESS_STORE, 31),
                     1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void batch_waits_for_the_opening_fence(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_fence(w->rank[0], 0, 1, true, NULL);
    world_put(w, 0, 1, 1, 0, 8, 11);
    engine_fence(w->rank[0], 0, 1, false, NULL); /* hands over before rank 1 has opened */
    world_take_in(w, 1);
    engine_store(w->rank[1], 0, 0x10000, 8, 21); /* before its opening fence: fine */
    engine_fence(w->rank[1], 0, 1, true, NULL);
    engine_load(w->rank[1], 0, 0x10000, 8, 22); /* after it: race */
    engine_fence(w->rank[1], 0, 1, false, NULL);
    world_barrier(w);
    engine_load(w->rank[1], 0, 0x10000, 8, 23);
    assert_int_equal(found(w, 1, ACCESS_PUT, 11, ACCESS_LOAD, 22), 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void what_need_not_wait_goes_ahead(void **state)
{
    (void)state;
    struct world *w = world_create(2, false);
    uint32_t zero = 0, one = 1;
    struct section bytes = {128, 8, 0, 1};
    world_window(w, 1, 0x10000, 4096);
    world_window(w, 2, 0x10000, 4096); /* the same memory */
    engine_start(w->rank[0], 0, 1, &one, 1);
    world_put(w, 0, 1, 1, 0, 8, 11);
    engine_complete(w->rank[0], 0, 1); /* waits for rank 1's post */
    engine_direct(w->rank[0], 0, 1, 1, &bytes, true, 12);
    engine_lock(w->rank[0], 0, 2, 1, LOCK_SHARED);
    world_get(w, 0, 2, 1, 128, 8, 13); /* after the direct store */
    unlock(w, 0, 2, 1);
    world_take_in(w, 1);
    engine_post(w->rank[1], 0, 1, &zero, 1, NULL);
    engine_wait(w->rank[1], 0, 1);
    assert_int_equal(found_in_all(w), 0);
    world_destroy(w);
}

static void puts_of_an_exposure_end_at_the_wait(void **state)
{
    (void)state;
    struct world *w = world_create(2, false);
    uint32_t zero = 0, one = 1;
    world_window(w, 1, 0x10000, 4096);
    world_window(w, 2, 0x10000, 4096); /* the same memory */
    engine_store(w->rank[1], 0, 0x10000, 8,
                 20); /* before the post, which the put of the epoch knows */
    engine_post(w->rank[1], 0, 1, &zero, 1, NULL);
    engine_start(w->rank[0], 0, 1, &one, 1);
    world_put(w, 0, 1, 1, 0, 8, 11);
    engine_complete(w->rank[0], 0, 1);
    size_t size;
    const void *clock = engine_clock_send(w->rank[0], 0, &size);
    void *copy = memcpy(malloc(size), clock, size);
    engine_lock(w->rank[0], 0, 2, 1, LOCK_SHARED);
    world_put(w, 0, 2, 1, 0, 8, 12); /* the first put is complete here, but not there */
    unlock(w, 0, 2, 1);
    world_take_in(w, 1);
    engine_wait(w->rank[1], 0, 1);
    assert_true(engine_clock_receive(w->rank[1], 0, copy, size));
    free(copy);
    assert_int_equal(found(w, 1, ACCESS_PUT, 11, ACCESS_PUT, 12), 1);
    assert_int_equal(found(w, 1, ACCESS_STORE, 20, ACCESS_PUT, 12),
                     1); /* but the other one does not */
    assert_int_equal(found_in_all(w), 2);
    engine_store(w->rank[1], 0, 0x10000, 8, 23); /* races with the second only */
    assert_int_equal(found(w, 1, ACCESS_PUT, 12, ACCESS_STORE, 23), 1);
    assert_int_equal(found_in_all(w), 3);
    world_destroy(w);
}

static void threads_race_on_window_memory_only(void **state)
{
    (void)state;
    struct world *w = world_create(1, true);
    world_window(w, 1, 0x10003, 10);
    struct clock mutex = CLOCK_EMPTY;
    engine_store(w->rank[0], 0, 0x10000, 16, 11); /* half of it is not window memory */
    engine_release(w->rank[0], 0, &mutex);
    engine_store(w->rank[0], 0, 0x1000c, 8, 12);
    engine_acquire(w->rank[0], 1, &mutex);
    engine_load(w->rank[0], 1, 0x10000, 12, 21); /* ordered with 11, apart from 12 */
    assert_int_equal(found_in_all(w), 0);
    engine_load(w->rank[0], 1, 0x1000c, 1, 22);
    assert_int_equal(found(w, 0, ACCESS_STORE, 12, ACCESS_LOAD, 22), 1);
    engine_store(w->rank[0], 1, 0x1000d, 40, 23); /* behind the window */
    assert_int_equal(found_in_all(w), 1);
    clock_clear(&mutex);
    world_destroy(w);
}

static void stragglers_are_not_covered_by_the_barrier(void **state)
{
    (void)state;
    for (int joined = 0; joined < 2; joined++) {
        struct world *w = world_create(2, true);
        struct clock object = CLOCK_EMPTY;
        world_window(w, 1, 0x10000, 4096);
        world_barrier(w);
        engine_store(w->rank[1], 3, 0x10000, 8, 33); /* a worker thread */
        engine_release(w->rank[1], 3, &object);
        if (joined)
            engine_acquire(w->rank[1], 0, &object);
        world_barrier(w);
        engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
        world_put(w, 0, 1, 1, 0, 8, 11);
        engine_flush(w->rank[0], 0, 1, 1);
        world_take_in(w, 1);
        assert_int_equal(found_in_all(w), !joined);
        if (!joined) { /* once it is joined, the next barrier settles it */
            engine_release(w->rank[1], 3, &object);
            engine_acquire(w->rank[1], 0, &object);
            world_barrier(w);
            world_put(w, 0, 1, 1, 0, 8, 12);
            unlock(w, 0, 1, 1);
            world_take_in(w, 1);
            assert_int_equal(found_in_all(w), 1);
        }
        clock_clear(&object);
        world_destroy(w);
    }
}

static void flush_of_another_thread_is_another_end(void **state)
{
    (void)state;
    struct world *w = world_create(2, false);
    struct clock object = CLOCK_EMPTY;
    world_window(w, 1, 0x10000, 4096);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0, 8, 11);
    engine_flush(w->rank[0], 1, 1, 1); /* does not know of the put */
    world_put_by(w, 0, 1, 1, 1, 64, 8, 12);
    engine_release(w->rank[0], 0, &object);
    engine_acquire(w->rank[0], 1, &object);
    engine_flush(w->rank[0], 1, 1, 1); /* completes both */
    engine_flush(w->rank[0], 0, 1, 1); /* and the first once more */
    world_put(w, 0, 1, 1, 0, 8, 13);
    world_put(w, 0, 1, 1, 64, 8, 14); /* thread 0 does not know that 12 is over */
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(found(w, 1, ACCESS_PUT, 12, ACCESS_PUT, 14), 1);
    assert_int_equal(found_in_all(w), 1);
    clock_clear(&object);
    world_destroy(w);
}

static void direct_access_is_an_access_to_the_owner(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    struct section bytes = {16, 4, 0, 1};
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    engine_store(w->rank[1], 0, 0x10010, 8, 21);
    engine_direct(w->rank[0], 0, 1, 1, &bytes, false, 11);
    world_barrier(w);
    assert_int_equal(found(w, 1, ACCESS_STORE, 21, ACCESS_LOAD, 11), 1);
    engine_direct(w->rank[0], 0, 1, 1, &bytes, true, 12);
    world_barrier(w);
    engine_load(w->rank[1], 0, 0x10010, 8, 22);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void buffers_in_use_on_window_memory(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    struct section bytes = {0x10000, 8, 16, 4}, elsewhere = {0x90000, 8, 0, 1};
    world_window(w, 1, 0x10000, 4096);
    world_barrier(w);
    assert_int_equal(engine_buffer_begin(w->rank[1], 0, &elsewhere, 1, true, 20), 0);
    uint64_t buffer = engine_buffer_begin(w->rank[1], 0, &bytes, 1, false, 21);
    assert_true(buffer != 0);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 8, 8, 11);  /* in a gap */
    world_get(w, 0, 1, 1, 16, 8, 12); /* reads what is read */
    world_put(w, 0, 1, 1, 34, 4, 13);
    engine_flush(w->rank[0], 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(found(w, 1, ACCESS_BUFFER_READ, 21, ACCESS_PUT, 13), 1);
    engine_buffer_end(w->rank[1], 0, buffer);
    world_message(w, 1, 0);
    world_put(w, 0, 1, 1, 0, 8, 14); /* knows that it is over */
    unlock(w, 0, 1, 1);
    world_take_in(w, 1);
    assert_int_equal(found_in_all(w), 1);
    world_destroy(w);
}

static void memory_may_be_detached_before_the_news_arrives(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    for (uint32_t i = 0; i < 2; i++) {
        engine_window_create(w->rank[i], 1, 0, 0, NULL);
        engine_window_attach(w->rank[i], 0, 1, 0x10000, 64);
        engine_window_attach(w->rank[i], 0, 1, 0x10040, 64); /* right behind the first */
    }
    world_barrier(w);
    engine_store(w->rank[1], 0, 0x10000, 8, 21);
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 0x10000, 8, 11);
    unlock(w, 0, 1, 1);
    engine_window_detach(w->rank[1], 0, 1, 0x10000);
    engine_store(w->rank[1], 0, 0x10000, 8, 22); /* no window memory any more */
    engine_store(w->rank[1], 0, 0x10040, 8, 23); /* still is */
    world_barrier(w);
    assert_int_equal(found(w, 1, ACCESS_STORE, 21, ACCESS_PUT, 11), 1);
    assert_int_equal(found_in_all(w), 1);
    struct engine_counters counters;
    engine_count(w->rank[1], &counters);
    assert_int_equal(counters.shadow_slow, 2);
    world_destroy(w);
}

static void memory_is_given_back(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    struct engine_counters counters;
    world_window(w, 1, 0x10000, 1 << 16);
    world_barrier(w);
    engine_store(w->rank[1], 0, 0x10000, 1 << 16, 21);
    engine_count(w->rank[1], &counters);
    assert_int_equal(counters.shadow_pages, (1 << 16) >> PAGE_SHIFT);
    for (uint32_t i = 0; i < 2; i++)
        engine_window_free(w->rank[i], 0, 1);
    world_barrier(w);
    for (uint32_t i = 0; i < 2; i++)
        engine_window_gone(w->rank[i], 1);
    engine_count(w->rank[1], &counters);
    assert_int_equal(counters.shadow_pages, 0);
    world_destroy(w);
}

/* Without world-wide synchronisation: the history stays as large as what it stands for. */
static void repetition_does_not_grow_the_history(void **state)
{
    (void)state;
    struct world *w = world_create(3, false);
    struct engine_counters counters;
    world_window(w, 1, 0x10000, 4096);
    engine_lock(w->rank[0], 0, 1, RANK_ALL, LOCK_SHARED);
    for (int round = 0; round < 500; round++) {
        world_put(w, 0, 1, 1, 0, 64, 11);
        world_get(w, 0, 1, 1, 128, 64, 12);
        engine_flush(w->rank[0], 0, 1, 1);
        world_message(w, 0, 1);
        engine_store(w->rank[1], 0, 0x10000, 64, 21);
        world_message(w, 1, 0);
    }
    engine_count(w->rank[1], &counters);
    assert_int_equal(counters.history_nodes, 2);
    assert_true(counters.memory_bytes < 100000);
    assert_int_equal(found_in_all(w), 0);
    world_destroy(w);
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct world *w = world_create(2, true);
    world_window(w, 1, 0x10000, 4096);
    size_t size;
    const uint8_t *clock = engine_clock_send(w->rank[0], 0, &size);
    uint8_t *copy = memcpy(malloc(size + 1), clock, size);
    copy[size] = 0;
    assert_true(engine_clock_receive(w->rank[1], 0, copy, size));
    for (size_t cut = 0; cut < size; cut++)
        assert_false(engine_clock_receive(w->rank[1], 0, copy, cut));
    assert_false(engine_clock_receive(w->rank[1], 0, copy, size + 1));
    free(copy);
    assert_false(engine_take_in(w->rank[1], "RB\1", 3));
    assert_false(engine_take_in(w->rank[1], NULL, 0));
    engine_lock(w->rank[0], 0, 1, 1, LOCK_SHARED);
    world_put(w, 0, 1, 1, 8, 8, 11);
    engine_flush(w->rank[0], 0, 1, 1);
    const struct delivery *batch = &w->mailbox[1][0];
    for (size_t cut = 0; cut < batch->size; cut++)
        assert_false(engine_take_in(w->rank[1], batch->bytes, cut));
    assert_false(engine_take_in(w->rank[0], batch->bytes, batch->size)); /* not for rank 0 */
    assert_true(engine_take_in(w->rank[1], batch->bytes, batch->size));
    world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(put_against_unordered_store),
        cmocka_unit_test(finding_tells_the_epoch_of_the_operation),
        cmocka_unit_test(put_then_barrier_then_store),
        cmocka_unit_test(message_orders_only_what_came_before),
        cmocka_unit_test(same_origin_without_flush),
        cmocka_unit_test(repeated_put_races_with_itself),
        cmocka_unit_test(sites_are_not_forgotten),
        cmocka_unit_test(pending_puts_are_seen_across_barriers),
        cmocka_unit_test(lock_order_counts_where_information_passes),
        cmocka_unit_test(the_same_load_in_the_next_epoch_reads_again),
        cmocka_unit_test(buffer_outlasts_its_lock),
        cmocka_unit_test(locks_keep_out),
        cmocka_unit_test(batch_waits_for_the_opening_fence),
        cmocka_unit_test(what_need_not_wait_goes_ahead),
        cmocka_unit_test(puts_of_an_exposure_end_at_the_wait),
        cmocka_unit_test(threads_race_on_window_memory_only),
        cmocka_unit_test(stragglers_are_not_covered_by_the_barrier),
        cmocka_unit_test(flush_of_another_thread_is_another_end),
        cmocka_unit_test(direct_access_is_an_access_to_the_owner),
        cmocka_unit_test(buffers_in_use_on_window_memory),
        cmocka_unit_test(memory_may_be_detached_before_the_news_arrives),
        cmocka_unit_test(memory_is_given_back),
        cmocka_unit_test(repetition_does_not_grow_the_history),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
