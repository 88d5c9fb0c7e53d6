/* The locks that this rank holds on its own memory: own accesses and buffers remember them as a
 * number, 16 bits of it in the shadow.
 *
 * Programs lock ever other windows, so numbers are used again: when many are in use, those are
 * looked for that no remembered access has any more. An access that passes for a repetition of an
 * earlier one has the same time, and every change of the locks makes a new time; so no number means
 * two sets to anybody. */
#include <stdlib.h>
#include <string.h>
#include "assertions.h"
#include "internal.h"

/* Tests shrink it, so that small programs get to use numbers again. */
#ifndef LOCKSETS_RECYCLED_AT
#define LOCKSETS_RECYCLED_AT 256
#endif

enum { LOCKSET_LIMIT = 1 << 16, BUCKETS_AT_FIRST = 64, VISITS_PER_SET = 16 };

void locksets_init(struct engine *engine)
{
    engine->locksets = allocate_zeroed(1, sizeof *engine->locksets);
    engine->locksets[0].used = true; /* number 0: no locks */
    engine->lockset_count = engine->lockset_capacity = engine->locksets_used = 1;
    engine->recycle_locksets_at = LOCKSETS_RECYCLED_AT;
    engine->lockset_bucket_count = BUCKETS_AT_FIRST;
    engine->lockset_buckets = allocate_zeroed(BUCKETS_AT_FIRST, sizeof(uint32_t));
}

void locksets_clear(struct engine *engine)
{
    for (size_t i = 0; i < engine->lockset_count; i++)
        free(engine->locksets[i].locks);
    free(engine->locksets);
    free(engine->lockset_buckets);
    free(engine->own_locks);
}

enum lock_type lockset_type(const struct engine *engine, uint32_t number, window_t window)
{
    const struct lockset *set = &engine->locksets[number];
    assert_cheap(number < engine->lockset_count && set->used); /* nobody has a recycled number */
    for (size_t i = 0; i < set->count; i++)
        if (set->locks[i].window == window)
            return set->locks[i].type;
    return LOCK_NONE;
}

/* ---- Numbers ---- */

static uint64_t hash_of(const struct own_lock *locks, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ locks[i].window ^ (uint64_t)locks[i].type << 56) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint32_t *bucket_of(const struct engine *engine, uint64_t hash)
{
    return &engine->lockset_buckets[hash & (engine->lockset_bucket_count - 1)];
}

static void chain(struct engine *engine, uint32_t number)
{
    uint32_t *bucket = bucket_of(engine, engine->locksets[number].hash);
    engine->locksets[number].chain = *bucket;
    *bucket = number;
}

static void chain_all(struct engine *engine)
{
    memset(engine->lockset_buckets, 0,
           engine->lockset_bucket_count * sizeof *engine->lockset_buckets);
    engine->unused_locksets = 0;
    for (uint32_t i = (uint32_t)engine->lockset_count; i-- > 1;)
        if (engine->locksets[i].used) {
            chain(engine, i);
        } else {
            engine->locksets[i].chain = engine->unused_locksets;
            engine->unused_locksets = i;
        }
}

static bool is_equal(const struct lockset *set, const struct own_lock *locks, size_t count)
{
    if (set->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (set->locks[i].window != locks[i].window || set->locks[i].type != locks[i].type)
            return false;
    return true;
}

/* ---- Using numbers again ---- */

static void mark_list(struct engine *engine, const struct node_list *list)
{
    for (const struct node *node = list->first; node; node = node->next)
        engine->locksets[node->lockset].used = true;
}

/* Whatever remembers a number: accesses in the shadow, buffers in the history. `kept` is in use
 * too: somebody is just working with it. */
static void recycle(struct engine *engine, uint32_t kept)
{
    for (size_t i = 0; i < engine->lockset_count; i++)
        engine->locksets[i].used = i == 0 || i == kept || i == engine->lockset;
    for (uint32_t i = 1; i < engine->shadow.entry_count; i++)
        engine->locksets[entry_lockset(&engine->shadow.entries[i])].used = true;
    mark_list(engine, &engine->history.buffers);
    mark_list(engine, &engine->history.ended);
    engine->locksets_used = 0;
    for (size_t i = 0; i < engine->lockset_count; i++) {
        struct lockset *set = &engine->locksets[i];
        engine->locksets_used += set->used;
        if (!set->used) {
            free(set->locks);
            *set = (struct lockset){0};
        }
    }
    chain_all(engine);
    /* Not again before as many sets have come as make it worth looking at all that. */
    size_t visits = engine->shadow.entry_count + engine->history.spans.count;
    engine->recycle_locksets_at =
        LOCKSETS_RECYCLED_AT + 2 * engine->locksets_used + visits / VISITS_PER_SET;
}

/* A number that is not in use; 0 if there is none. */
static uint32_t new_number(struct engine *engine, uint32_t kept)
{
    if (engine->locksets_used >= engine->recycle_locksets_at ||
        engine->locksets_used == LOCKSET_LIMIT)
        recycle(engine, kept);
    uint32_t number = engine->unused_locksets;
    if (number) {
        engine->unused_locksets = engine->locksets[number].chain;
        return number;
    }
    if (engine->lockset_count == LOCKSET_LIMIT)
        return 0;
    grow_array(engine->locksets, engine->lockset_count, engine->lockset_capacity);
    number = (uint32_t)engine->lockset_count++;
    engine->locksets[number] = (struct lockset){0};
    if (engine->lockset_count > engine->lockset_bucket_count) {
        engine->lockset_bucket_count *= 2;
        engine->lockset_buckets =
            reallocate(engine->lockset_buckets,
                       engine->lockset_bucket_count * sizeof *engine->lockset_buckets);
        chain_all(engine);
        engine->unused_locksets = engine->locksets[number].chain; /* it is about to be used */
    }
    return number;
}

/* The number of a set of locks; that of `kept` stays valid meanwhile. */
static uint32_t number_of(struct engine *engine, const struct own_lock *locks, size_t count,
                          uint32_t kept)
{
    if (count == 0)
        return 0;
    uint64_t hash = hash_of(locks, count);
    for (uint32_t i = *bucket_of(engine, hash); i; i = engine->locksets[i].chain)
        if (engine->locksets[i].hash == hash && is_equal(&engine->locksets[i], locks, count))
            return i;
    uint32_t number = new_number(engine, kept);
    if (!number) { /* 65,535 sets are in use */
        engine->exhausted = true;
        return 0;
    }
    struct lockset *set = &engine->locksets[number];
    *set = (struct lockset){
        .locks = allocate(count * sizeof *locks), .count = count, .hash = hash, .used = true};
    memcpy(set->locks, locks, count * sizeof *locks);
    engine->locksets_used++;
    chain(engine, number);
    return number;
}

/* ---- Changes ---- */

/* The locks of one set that are in the other too. */
static uint32_t common_locks(struct engine *engine, uint32_t a, uint32_t b)
{
    size_t count = engine->locksets[a].count, common = 0;
    struct own_lock *locks = allocate((count + 1) * sizeof *locks);
    for (size_t i = 0; i < count; i++)
        if (lockset_type(engine, b, engine->locksets[a].locks[i].window) ==
            engine->locksets[a].locks[i].type)
            locks[common++] = engine->locksets[a].locks[i];
    uint32_t number = common == count ? a : number_of(engine, locks, common, a);
    free(locks);
    return number;
}

/* A buffer that is used beyond the lock is not protected by it, not even against what came before.
 */
static void release_buffers(struct engine *engine)
{
    struct buffer *buffer, *next;
    HASH_ITER(hh, engine->buffers, buffer, next)
    {
        for (size_t i = 0; i < buffer->count; i++) {
            struct node *node = buffer->nodes[i];
            uint32_t left = common_locks(engine, node->lockset, engine->lockset);
            if (left == node->lockset || MUTANT(buffer_keeps_lock))
                continue;
            node->lockset = left;
            target_check_again(engine, node, &buffer->start->clock);
        }
    }
}

static void set_own_lock(struct engine *engine, window_t window, enum lock_type type)
{
    size_t at = 0;
    while (at < engine->own_lock_count && engine->own_locks[at].window < window)
        at++;
    bool held = at < engine->own_lock_count && engine->own_locks[at].window == window;
    if (type == LOCK_NONE) {
        if (held)
            memmove(&engine->own_locks[at], &engine->own_locks[at + 1],
                    (--engine->own_lock_count - at) * sizeof *engine->own_locks);
        return;
    }
    if (!held) {
        grow_array(engine->own_locks, engine->own_lock_count, engine->own_lock_capacity);
        memmove(&engine->own_locks[at + 1], &engine->own_locks[at],
                (engine->own_lock_count++ - at) * sizeof *engine->own_locks);
    }
    engine->own_locks[at] = (struct own_lock){window, type};
}

/* The next own access must not pass for a repetition of one in another lock epoch. */
void own_lock_changed(struct engine *engine, window_t window, enum lock_type type)
{
    set_own_lock(engine, window, type);
    engine->lockset = number_of(engine, engine->own_locks, engine->own_lock_count, engine->lockset);
    for (uint32_t i = 0; i < engine->thread_count; i++)
        if (engine->threads[i] && !MUTANT(locks_do_not_advance))
            thread_advance(engine, engine->threads[i]);
    release_buffers(engine);
}
