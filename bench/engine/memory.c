/* What the engine holds per byte of window memory, and what it costs to tell it whole rows.
 *
 * Rank 0 has a window of 16 MiB. A table of ways in which programs touch it, with and without
 * world-wide synchronisation between the steps; memory is what the engine holds more than before
 * the first access, at its highest.
 *
 * usage: memory [MEBIBYTES] */
#include "engine.h"
#include "measure.h"

#define BASE ((uint64_t)1 << 32)

static uint64_t window_bytes;

/* Straight into the target's engine, if it takes part. */
static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    struct engine *const *engines = context;
    if (engines && engines[target] && !engine_take_in(engines[target], batch, size))
        abort();
}

static struct engine *make_engine(uint32_t rank, struct engine **engines)
{
    struct engine_config config = {
        .rank = rank, .ranks = 4, .implicit_world = true, .deliver = deliver, .context = engines};
    struct engine *engine = engine_create(&config);
    engine_window_create(engine, 1, BASE, window_bytes, NULL);
    return engine;
}

static uint64_t held(const struct engine *engine)
{
    struct engine_counters counters;
    engine_count(engine, &counters);
    return counters.memory_bytes;
}

static void synchronise(struct engine *engine)
{
    engine_world_enter(engine);
    engine_world_leave(engine);
}

/* Something has been sent: what comes next has a later time, but nobody knows what was before. */
static void send(struct engine *engine)
{
    size_t size;
    engine_clock_send(engine, 0, &size);
}

typedef void between(struct engine *engine);

/* ---- Own accesses ---- */

enum { ROW = 8192 };

/* Rows of two arrays, told as ranges: five loads of one, a store to the other. Returns granules. */
static uint64_t stencil_rows(struct engine *engine)
{
    uint64_t half = window_bytes / 2, rows = half / ROW;
    for (uint64_t row = 1; row + 1 < rows; row++) {
        uint64_t in = BASE + row * ROW, out = in + half;
        engine_load(engine, 0, in - ROW + 8, ROW - 16, 11);
        engine_load(engine, 0, in, ROW - 16, 12);
        engine_load(engine, 0, in + 8, ROW - 16, 13);
        engine_load(engine, 0, in + 16, ROW - 16, 14);
        engine_load(engine, 0, in + ROW + 8, ROW - 16, 15);
        engine_store(engine, 0, out + 8, ROW - 16, 16);
    }
    return (rows - 2) * 6 * (ROW / 8 - 2);
}

/* The same, each access on its own. */
static uint64_t stencil_singles(struct engine *engine)
{
    uint64_t half = window_bytes / 2, rows = half / ROW;
    for (uint64_t row = 1; row + 1 < rows; row++)
        for (uint64_t at = 8; at < ROW - 8; at += 8) {
            uint64_t in = BASE + row * ROW + at;
            engine_load(engine, 0, in - ROW, 8, 11);
            engine_load(engine, 0, in - 8, 8, 12);
            engine_load(engine, 0, in, 8, 13);
            engine_load(engine, 0, in + 8, 8, 14);
            engine_load(engine, 0, in + ROW, 8, 15);
            engine_store(engine, 0, in + half, 8, 16);
        }
    return (rows - 2) * 6 * (ROW / 8 - 2);
}

/* One load and one store of the whole window, in pieces of 8 KiB that are not aligned to anything.
 */
static uint64_t sweep_rows(struct engine *engine)
{
    for (uint64_t at = 24; at + ROW <= window_bytes; at += ROW) {
        engine_load(engine, 0, BASE + at, ROW, 21);
        engine_store(engine, 0, BASE + at, ROW, 22);
    }
    return (window_bytes - 24) / ROW * 2 * (ROW / 8);
}

static uint64_t seed = 88172645463325252;

/* Loads and stores of 8 bytes anywhere, as many as an eighth of the granules. */
static uint64_t random_singles(struct engine *engine)
{
    uint64_t count = window_bytes / 64;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = BASE + random_number(&seed) % (window_bytes / 8) * 8;
        engine_load(engine, 0, at, 8, 31);
        engine_store(engine, 0, at, 8, 32);
    }
    return 2 * count;
}

/* Fields of 1 to 8 bytes anywhere, from ten sites. */
static uint64_t mixed_sizes(struct engine *engine)
{
    uint64_t count = window_bytes / 64;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size = 1 << random_number(&seed) % 4, site = 40 + random_number(&seed) % 5;
        uint64_t at = BASE + random_number(&seed) % (window_bytes / size) * size;
        if (random_number(&seed) % 2)
            engine_load(engine, 0, at, size, site);
        else
            engine_store(engine, 0, at, size, site + 5);
    }
    return count;
}

/* As hard as it gets: every access has a time of its own, and nothing is forgotten. */
static uint64_t each_its_own_time(struct engine *engine)
{
    uint64_t count = window_bytes / 64;
    for (uint64_t i = 0; i < count; i++) {
        engine_store(engine, 0, BASE + random_number(&seed) % (window_bytes / 8) * 8, 8, 51);
        send(engine);
    }
    return count;
}

static double measure_own(const char *name, uint64_t (*touch)(struct engine *), between *after,
                          double *per_granule)
{
    enum { STEPS = 12 };
    struct engine *engine = make_engine(0, NULL);
    uint64_t before = held(engine), most = 0, granules = 0;
    double time = 0;
    for (int i = 0; i < STEPS; i++) {
        double begin = seconds();
        granules += touch(engine);
        time += seconds() - begin;
        most = held(engine) > most ? held(engine) : most;
        after(engine);
    }
    double ratio = (double)(most - before) / (double)window_bytes;
    *per_granule = time * 1e9 / (double)granules;
    printf("    %-34s %-10s %6.2f bytes per window byte %8.2f ns per granule\n", name,
           after == synchronise ? "worldwide" : "messages", ratio, *per_granule);
    engine_destroy(engine);
    return ratio;
}

static void own_accesses(void)
{
    double time;
    printf("own loads and stores, %llu MiB of window memory\n",
           (unsigned long long)(window_bytes >> 20));
    between *const ways[] = {synchronise, send};
    bool regular = true, irregular = true, fast = true;
    for (int i = 0; i < 2; i++) {
        regular &= measure_own("stencil, told in rows", stencil_rows, ways[i], &time) <= 1.1;
        fast &= time <= 1;
        regular &= measure_own("stencil, told one by one", stencil_singles, ways[i], &time) <= 1.1;
        regular &= measure_own("whole window, told in rows", sweep_rows, ways[i], &time) <= 1.1;
        fast &= time <= 1;
        irregular &= measure_own("random places", random_singles, ways[i], &time) <= 2;
        irregular &=
            measure_own("random places, sizes and sites", mixed_sizes, ways[i], &time) <= 2;
    }
    measure_own("random, each at its own time", each_its_own_time, send, &time);
    goal("regular: at most 1.1 bytes per window byte", regular);
    goal("random: at most 2 bytes per window byte", irregular);
    goal("rows: at most 1 ns per granule", fast);
}

/* ---- Operations ---- */

/* Three origins add to random elements of rank 0's table, as many as it has, in one generation;
 * every `lot` updates of an origin it flushes. */
static void random_updates(uint64_t elements_touched, uint64_t lot)
{
    struct engine *engines[4] = {NULL};
    for (uint32_t r = 0; r < 4; r++)
        engines[r] = make_engine(r, engines);
    uint64_t before = held(engines[0]), elements = window_bytes / 8, most_at_origin = 0;
    double begin = seconds();
    for (uint32_t r = 1; r < 4; r++) {
        engine_lock(engines[r], 0, 1, 0, LOCK_SHARED);
        for (uint64_t i = 1; i <= elements_touched; i++) {
            struct section bytes = {random_number(&seed) % elements * 8, 8, 0, 1};
            struct rma_op op = {.kind = ACCESS_ACCUMULATE,
                                .window = 1,
                                .op = ACC_OTHER,
                                .type = 1,
                                .type_size = 8,
                                .sections = &bytes,
                                .section_count = 1,
                                .site = 61};
            engine_rma(engines[r], 0, &op, false);
            if (i % lot == 0 || i == elements_touched) {
                uint64_t now = held(engines[r]);
                most_at_origin = now > most_at_origin ? now : most_at_origin;
                engine_flush(engines[r], 0, 1, 0);
            }
        }
    }
    double time = seconds() - begin;
    struct engine_counters counters;
    engine_count(engines[0], &counters);
    printf("    %8llu updates each, flush after %8llu: target %6.2f, origin %6.2f bytes per window "
           "byte; %llu nodes, %.0f ns\n",
           (unsigned long long)elements_touched, (unsigned long long)lot,
           (double)(counters.memory_bytes - before) / (double)window_bytes,
           (double)(most_at_origin - before) / (double)window_bytes,
           (unsigned long long)counters.history_nodes, time * 1e9 / (3 * (double)elements_touched));
    for (uint32_t r = 0; r < 4; r++)
        engine_destroy(engines[r]);
}

static void operations(void)
{
    uint64_t elements = window_bytes / 8;
    printf("random accumulates by three origins to a table of %llu MiB, one generation\n",
           (unsigned long long)(window_bytes >> 20));
    random_updates(elements / 16, 1024);
    random_updates(elements / 16, elements);
    random_updates(elements, 1024);
    random_updates(elements, elements / 2);
    random_updates(2 * elements, 2 * elements);
}

int main(int argc, char **argv)
{
    window_bytes = (uint64_t)(argc > 1 ? atoi(argv[1]) : 16) << 20;
    struct engine *bare = make_engine(0, NULL);
    printf("an engine with one window and no accesses: %llu bytes\n",
           (unsigned long long)held(bare));
    engine_destroy(bare);
    own_accesses();
    operations();
    return missed_goals != 0;
}
