/* Clocks against dense vectors. */
#include "unit.h"
#include "clock.h"

enum { ACTORS = 40 };

/* What a dense vector clock would hold: 0 means nothing beyond the generation. */
struct dense {
    uint64_t generation;
    time_point time[ACTORS];
};

static bool dense_covers(const struct dense *dense, int actor, time_point time)
{
    return time_generation(time) < dense->generation || time <= dense->time[actor];
}

static void dense_learn(struct dense *dense, int actor, time_point time)
{
    if (!dense_covers(dense, actor, time))
        dense->time[actor] = time;
}

static void dense_raise(struct dense *dense, uint64_t generation)
{
    if (generation > dense->generation)
        dense->generation = generation;
}

static void dense_join(struct dense *to, const struct dense *from)
{
    dense_raise(to, from->generation);
    for (int i = 0; i < ACTORS; i++)
        if (from->time[i])
            dense_learn(to, i, from->time[i]);
}

static void same(const struct clock *clock, const struct dense *dense)
{
    assert_int_equal(clock->generation, dense->generation);
    for (int i = 0; i < ACTORS; i++) {
        time_point time = dense->time[i];
        if (time_generation(time) < dense->generation)
            time = 0; /* covered by the generation: must not cost anything */
        assert_int_equal(clock_known(clock, (actor_t)i), time);
    }
    for (size_t i = 0; i < clock->run_count; i++) {
        const struct clock_run *run = &clock->runs[i];
        assert_true(run->count > 0 && (run->count > 1 || run->slope == 0));
        assert_true(i == 0 || run[-1].first + run[-1].count <= run->first);
    }
}

static time_point random_time(void)
{
    return time_make(1 + random_below(3), 1 + random_below(20));
}

/* Mostly progressions, as regular codes make them, with irregular points between. */
static void random_knowledge(struct clock *clock, struct dense *dense)
{
    *clock = (struct clock)CLOCK_EMPTY;
    memset(dense, 0, sizeof *dense);
    clock_raise(clock, random_below(3));
    dense_raise(dense, clock->generation);
    int pieces = (int)random_below(6);
    for (int p = 0; p < pieces; p++) {
        int from = (int)random_below(ACTORS), count = 1 + (int)random_below(12);
        uint64_t generation = 1 + random_below(3);
        int64_t tick = 50 + (int64_t)random_below(20), slope = (int64_t)random_below(7) - 3;
        for (int i = from; i < from + count && i < ACTORS; i++) {
            time_point time = time_make(generation, (uint64_t)(tick + slope * (i - from)));
            clock_learn(clock, (actor_t)i, time);
            dense_learn(dense, i, time);
        }
    }
    for (uint64_t i = random_below(5); i > 0; i--) {
        int actor = (int)random_below(ACTORS);
        time_point time = random_time();
        clock_learn(clock, (actor_t)actor, time);
        dense_learn(dense, actor, time);
    }
}

static void joins_like_a_dense_vector(void **state)
{
    (void)state;
    for (int round = 0; round < 50000; round++) {
        struct clock a, b;
        struct dense x, y;
        random_knowledge(&a, &x);
        random_knowledge(&b, &y);
        same(&a, &x);
        bool more = y.generation > x.generation;
        for (int i = 0; i < ACTORS; i++)
            more |= y.time[i] && !dense_covers(&x, i, y.time[i]) &&
                    time_generation(y.time[i]) >= y.generation;
        assert_int_equal(clock_join(&a, &b), more);
        dense_join(&x, &y);
        same(&a, &x);
        assert_false(clock_join(&a, &b)); /* nothing new the second time */
        same(&a, &x);
        clock_raise(&a, x.generation + 1);
        dense_raise(&x, x.generation + 1);
        same(&a, &x);
        clock_clear(&a);
        clock_clear(&b);
    }
}

static void travels_as_bytes(void **state)
{
    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct clock a, b = CLOCK_EMPTY;
        struct dense x;
        random_knowledge(&a, &x);
        if (round % 2) { /* other threads' actors are far away */
            clock_learn(&a, actor_of(7, 3), time_make(4, 9));
            clock_learn(&a, actor_of(UINT32_MAX, 65535), time_make(5, TICK_LIMIT - 1));
        }
        uint8_t *bytes = malloc(clock_encoded_bound(&a));
        size_t size = clock_encode(&a, bytes);
        assert_true(size <= clock_encoded_bound(&a));
        assert_true(clock_decode(&b, bytes, size));
        same(&b, &x);
        assert_int_equal(clock_known(&b, actor_of(7, 3)), round % 2 ? time_make(4, 9) : 0);
        for (size_t cut = 0; cut < size; cut++)
            assert_false(clock_decode(&b, bytes, cut));
        same(&b, &x);                  /* a refused clock changes nothing */
        for (int i = 0; i < 20; i++) { /* flipped bits: refused, or another valid clock */
            uint8_t *broken = memcpy(malloc(size), bytes, size);
            broken[random_below(size)] ^= (uint8_t)(1 << random_below(8));
            struct clock c = CLOCK_EMPTY;
            if (clock_decode(&c, broken, size))
                for (size_t k = 0; k < c.run_count; k++) {
                    const struct clock_run *run = &c.runs[k];
                    time_point last = run->time + (uint64_t)run->slope * (run->count - 1);
                    assert_true(time_generation(last) == time_generation(run->time));
                    assert_true(time_tick(run->time) > 0 && time_tick(last) > 0);
                    assert_true(run->first + run->count > run->first);
                }
            clock_clear(&c);
            free(broken);
        }
        free(bytes);
        clock_clear(&a);
        clock_clear(&b);
    }
}

static void regular_knowledge_is_small(void **state)
{
    (void)state;
    struct clock clock = CLOCK_EMPTY;
    for (uint64_t distance = 0; distance < 1000;
         distance++) { /* a halo exchange in a row of ranks */
        clock_learn(&clock, 5000 - distance, time_make(1, 3 * (1001 - distance)));
        clock_learn(&clock, 5000 + distance, time_make(1, 3 * (1001 - distance)));
    }
    assert_true(clock.run_count <= 3);
    uint8_t bytes[256];
    assert_true(clock_encoded_bound(&clock) <= sizeof bytes);
    assert_true(clock_encode(&clock, bytes) < 40);
    clock_clear(&clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_like_a_dense_vector),
        cmocka_unit_test(travels_as_bytes),
        cmocka_unit_test(regular_knowledge_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
