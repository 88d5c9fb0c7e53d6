/* What single events cost, as ratios in one run. */
#define _GNU_SOURCE /* tdestroy */
#include <search.h>
#include "engine.h"
#include "log.h"
#include "measure.h"
#include "spans.h"

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    (void)target;
    (void)batch;
    *(size_t *)context += size;
}

static __attribute__((noinline)) void empty_function(struct engine *engine, uint32_t thread,
                                                     uint64_t address, uint64_t size, site_t site)
{
    __asm__ volatile("" : : "r"(engine), "r"((uint64_t)thread), "r"(address), "r"(size), "r"(site));
}

typedef void checker(struct engine *engine, uint32_t thread, uint64_t address, uint64_t size,
                     site_t site);

/* Nanoseconds per call, the best of five: over 4 KiB of doubles again and again. */
static double access_time(checker *check, struct engine *engine)
{
    double best = 1e9;
    for (int trial = 0; trial < 5; trial++) {
        double begin = seconds();
        for (int round = 0; round < 20000; round++)
            for (uint64_t i = 0; i < 512; i++)
                check(engine, 0, 0x100000 + 8 * i, 8, 42);
        double each = (seconds() - begin) / (20000 * 512) * 1e9;
        best = each < best ? each : best;
    }
    return best;
}

static void repeated_accesses(void)
{
    size_t sent = 0;
    struct engine_config config = {
        .ranks = 2, .implicit_world = true, .deliver = deliver, .context = &sent};
    struct engine *engine = engine_create(&config);
    engine_window_create(engine, 1, 0x100000, 1 << 20, NULL);
    double empty = access_time(empty_function, engine);
    double store = access_time(engine_store, engine), load = access_time(engine_load, engine);
    printf("repeated accesses to window memory\n");
    printf("    empty call %.2f ns, store %.2f ns (%.2fx), load %.2f ns (%.2fx)\n", empty, store,
           store / empty, load, load / empty);
    goal("a repeated access runs at 1/3 of an empty call's rate or more",
         store <= 3 * empty && load <= 3 * empty);
    engine_destroy(engine);
}

static void strided_puts(void)
{
    size_t sent = 0;
    struct engine_config config = {
        .ranks = 2, .implicit_world = true, .deliver = deliver, .context = &sent};
    struct engine *engine = engine_create(&config);
    engine_window_create(engine, 1, 0x100000, 1 << 20, NULL);
    engine_lock(engine, 0, 1, 1, LOCK_SHARED);
    double begin = seconds();
    for (uint64_t i = 0; i < 1000000; i++) {
        struct section bytes = {i * 24, 8, 0, 1};
        struct rma_op op = {.kind = ACCESS_PUT,
                            .window = 1,
                            .target = 1,
                            .sections = &bytes,
                            .section_count = 1,
                            .site = 7};
        engine_rma(engine, 0, &op, false);
    }
    engine_flush(engine, 0, 1, 1);
    double time = seconds() - begin;
    struct engine_counters counters;
    engine_count(engine, &counters);
    printf("10^6 strided puts from one site\n    %llu records, %zu bytes to the target, %.0f ns "
           "per put\n",
           (unsigned long long)counters.records_sent, sent, time * 1e3);
    goal("at most 16 nodes", counters.records_sent <= 16);
    engine_destroy(engine);
}

/* ---- Merging against trees ---- */

struct block {
    uint64_t start, length;
};

/* Like MiniVite: fields of 8 and 16 bytes in arrays of structs, a few arrays in turn, some vertices
 * skipped. */
static struct block *minivite_like(size_t *count)
{
    enum { RECORDS = 100000, ARRAYS = 3 };
    struct block *blocks = malloc(3 * RECORDS * ARRAYS * sizeof *blocks);
    uint64_t state = 42;
    size_t n = 0;
    for (uint64_t i = 0; i < RECORDS; i++) {
        if (random_number(&state) % 256 == 0)
            continue; /* a vertex without neighbours on that rank */
        for (uint64_t array = 0; array < ARRAYS; array++) {
            uint64_t record = array * 100000000 + i * (40 + 8 * array);
            blocks[n++] = (struct block){record, 8};
            blocks[n++] = (struct block){record + 16, 16};
        }
    }
    *count = n;
    return blocks;
}

struct tree_node {
    struct span span;
};

struct neighbours {
    struct tree_node *below, *above;
    uint64_t low, high;
};

static bool find_neighbour(void *context, struct span *span)
{
    struct neighbours *neighbours = context;
    if (span->high == neighbours->low)
        neighbours->below = (struct tree_node *)span;
    else if (span->low == neighbours->high)
        neighbours->above = (struct tree_node *)span;
    return true;
}

/* Adjacent-only merging in a balanced interval tree, as the baseline of the PARCOACH papers. */
static size_t merge_adjacent(const struct block *blocks, size_t count)
{
    struct spans spans = {0};
    struct tree_node *nodes = malloc(count * sizeof *nodes);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t low = blocks[i].start, high = low + blocks[i].length;
        struct neighbours neighbours = {.low = low, .high = high};
        spans_visit(&spans, low - (low > 0), high + 1, find_neighbour, &neighbours);
        if (neighbours.below) {
            low = neighbours.below->span.low;
            spans_remove(&spans, &neighbours.below->span);
        }
        if (neighbours.above) {
            high = neighbours.above->span.high;
            spans_remove(&spans, &neighbours.above->span);
        }
        struct tree_node *node = &nodes[used++];
        node->span.low = low;
        node->span.high = high;
        spans_insert(&spans, &node->span);
    }
    size_t left = spans.count;
    free(nodes);
    return left;
}

static size_t merge_in_log(const struct block *blocks, size_t count)
{
    struct op_log log = {0};
    struct snapshot start = {.references = 1};
    struct origin_place place = {.kind = ACCESS_GET, .site = 1, .start = &start};
    for (size_t i = 0; i < count; i++) {
        struct section section = {blocks[i].start, blocks[i].length, 0, 1};
        log_add(&log, &place, &section);
    }
    size_t left = log.live;
    log_clear(&log);
    return left;
}

static int compare_blocks(const void *a, const void *b)
{
    uint64_t x = ((const struct block *)a)->start, y = ((const struct block *)b)->start;
    return (x > y) - (x < y);
}

static void leave_block(void *block)
{
    (void)block; /* part of the array */
}

/* The C library's balanced (red-black) tree, one node per block. */
static size_t insert_unmerged(const struct block *blocks, size_t count)
{
    void *root = NULL;
    for (size_t i = 0; i < count; i++)
        tsearch(&blocks[i], &root, compare_blocks);
    size_t n = count;
    tdestroy(root, leave_block);
    return n;
}

static double merge_time(size_t (*merge)(const struct block *, size_t), const struct block *blocks,
                         size_t count, size_t *nodes)
{
    double best = 1e9;
    for (int trial = 0; trial < 3; trial++) {
        double begin = seconds();
        *nodes = merge(blocks, count);
        double each = (seconds() - begin) / (double)count * 1e9;
        best = each < best ? each : best;
    }
    return best;
}

static void compare_merging(const char *name, const struct block *blocks, size_t count,
                            bool must_save)
{
    size_t unmerged, adjacent, ours;
    double unmerged_time = merge_time(insert_unmerged, blocks, count, &unmerged);
    double adjacent_time = merge_time(merge_adjacent, blocks, count, &adjacent);
    double our_time = merge_time(merge_in_log, blocks, count, &ours);
    printf("%s: %zu operations\n", name, count);
    printf("    unmerged tree %zu nodes %.0f ns; adjacent merging %zu nodes %.0f ns; ours %zu "
           "nodes %.0f ns\n",
           unmerged, unmerged_time, adjacent, adjacent_time, ours, our_time);
    if (must_save) {
        goal("at least 4x fewer nodes than adjacent merging", 4 * ours <= adjacent);
        goal("not slower than adjacent merging", our_time <= adjacent_time);
    }
    goal("insertion at least as fast as an unmerged balanced tree", our_time <= unmerged_time);
}

int main(void)
{
    repeated_accesses();
    strided_puts();
    size_t count;
    struct block *blocks = minivite_like(&count);
    compare_merging("MiniVite-like streams", blocks, count, true);
    uint64_t state = 7;
    for (size_t i = 0; i < count; i++)
        blocks[i] = (struct block){random_number(&state) % 1000000000 / 8 * 8, 8};
    compare_merging("random places", blocks, count, false);
    free(blocks);
    return missed_goals != 0;
}
