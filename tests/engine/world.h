/* A few ranks in one process with mailboxes in memory, for engine tests by hand. */
#ifndef REGATTA_TESTS_ENGINE_WORLD_H
#define REGATTA_TESTS_ENGINE_WORLD_H

#include "engine.h"

enum { MAX_RANKS = 4 };

struct delivery {
    uint8_t *bytes;
    size_t size;
};

struct lock_bytes {
    window_t window;
    uint32_t target;
    void *state;
    size_t size;
};

struct world {
    uint32_t ranks;
    struct engine *rank[MAX_RANKS];
    struct delivery mailbox[MAX_RANKS][256];
    size_t delivered[MAX_RANKS];
    struct lock_bytes locks[8];
};

static inline void world_deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    struct world *w = context;
    assert_true(w->delivered[target] < 256);
    struct delivery *delivery = &w->mailbox[target][w->delivered[target]++];
    delivery->bytes = memcpy(malloc(size), batch, size);
    delivery->size = size;
}

static inline struct world *world_create(uint32_t ranks, bool implicit_world)
{
    struct world *w = calloc(1, sizeof *w);
    w->ranks = ranks;
    for (uint32_t i = 0; i < ranks; i++) {
        struct engine_config config = {.rank = i,
                                       .ranks = ranks,
                                       .implicit_world = implicit_world,
                                       .deliver = world_deliver,
                                       .context = w};
        w->rank[i] = engine_create(&config);
    }
    return w;
}

static inline void world_destroy(struct world *w)
{
    for (uint32_t i = 0; i < w->ranks; i++) {
        engine_destroy(w->rank[i]);
        for (size_t k = 0; k < w->delivered[i]; k++)
            free(w->mailbox[i][k].bytes);
    }
    for (int i = 0; i < 8; i++)
        free(w->locks[i].state);
    free(w);
}

static inline void world_take_in(struct world *w, uint32_t rank)
{
    for (size_t i = 0; i < w->delivered[rank]; i++) {
        assert_true(
            engine_take_in(w->rank[rank], w->mailbox[rank][i].bytes, w->mailbox[rank][i].size));
        free(w->mailbox[rank][i].bytes);
    }
    w->delivered[rank] = 0;
}

static inline void world_window(struct world *w, window_t window, uint64_t base, uint64_t size)
{
    for (uint32_t i = 0; i < w->ranks; i++)
        engine_window_create(w->rank[i], window, base, size, NULL);
}

static inline void world_barrier(struct world *w)
{
    for (uint32_t i = 0; i < w->ranks; i++)
        engine_world_enter(w->rank[i]);
    for (uint32_t i = 0; i < w->ranks; i++) {
        world_take_in(w, i);
        engine_world_leave(w->rank[i]);
    }
}

static inline void world_message(struct world *w, uint32_t from, uint32_t to)
{
    size_t size;
    const void *clock = engine_clock_send(w->rank[from], 0, &size);
    void *copy = memcpy(malloc(size), clock, size);
    world_take_in(w, to);
    assert_true(engine_clock_receive(w->rank[to], 0, copy, size));
    free(copy);
}

static inline void world_op(struct world *w, uint32_t origin, uint32_t thread,
                            enum access_kind kind, window_t window, uint32_t target,
                            uint64_t offset, uint64_t size, site_t site)
{
    struct section bytes = {offset, size, 0, 1};
    struct rma_op op = {.kind = kind,
                        .window = window,
                        .target = target,
                        .sections = &bytes,
                        .section_count = 1,
                        .site = site};
    engine_rma(w->rank[origin], thread, &op, false);
}

static inline void world_put(struct world *w, uint32_t origin, window_t window, uint32_t target,
                             uint64_t offset, uint64_t size, site_t site)
{
    world_op(w, origin, 0, ACCESS_PUT, window, target, offset, size, site);
}

static inline void world_put_by(struct world *w, uint32_t origin, uint32_t thread, window_t window,
                                uint32_t target, uint64_t offset, uint64_t size, site_t site)
{
    world_op(w, origin, thread, ACCESS_PUT, window, target, offset, size, site);
}

static inline void world_get(struct world *w, uint32_t origin, window_t window, uint32_t target,
                             uint64_t offset, uint64_t size, site_t site)
{
    world_op(w, origin, 0, ACCESS_GET, window, target, offset, size, site);
}

static inline struct lock_bytes *lock_bytes_of(struct world *w, window_t window, uint32_t target)
{
    for (int i = 0; i < 8; i++) {
        struct lock_bytes *lock = &w->locks[i];
        if (lock->window == 0)
            *lock = (struct lock_bytes){window, target, NULL, 0};
        if (lock->window == window && lock->target == target)
            return lock;
    }
    fail();
    return NULL;
}

static inline void lock(struct world *w, uint32_t rank, window_t window, uint32_t target,
                        enum lock_type type)
{
    struct lock_bytes *state = lock_bytes_of(w, window, target);
    engine_lock(w->rank[rank], 0, window, target, type);
    world_take_in(w, rank);
    assert_true(engine_lock_acquired(w->rank[rank], 0, window, target, state->state, state->size));
}

static inline void unlock(struct world *w, uint32_t rank, window_t window, uint32_t target)
{
    struct lock_bytes *state = lock_bytes_of(w, window, target);
    size_t size;
    const void *contribution = engine_unlock(w->rank[rank], 0, window, target, &size);
    void *merged =
        engine_lock_state_merge(state->state, state->size, contribution, size, &state->size);
    free(state->state);
    state->state = merged;
}

struct search {
    enum access_kind first_kind, second_kind;
    site_t first, second;
    int any, exact;
};

static inline bool search_finding(void *context, const struct finding *finding)
{
    struct search *search = context;
    search->any++;
    search->exact +=
        finding->first.kind == search->first_kind && finding->first.site == search->first &&
        finding->second.kind == search->second_kind && finding->second.site == search->second;
    return true;
}

/* Whether the rank found this pair. */
static inline int found(struct world *w, uint32_t rank, enum access_kind first_kind, site_t first,
                        enum access_kind second_kind, site_t second)
{
    struct search search = {first_kind, second_kind, first, second, 0, 0};
    engine_findings(w->rank[rank], search_finding, &search);
    return search.exact;
}

static inline int found_in_all(struct world *w)
{
    struct search search = {0};
    for (uint32_t i = 0; i < w->ranks; i++)
        engine_findings(w->rank[i], search_finding, &search);
    return search.any;
}

#endif
