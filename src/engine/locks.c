#include <stdlib.h>
#include <string.h>
#include "internal.h"

static struct pair_key key_of(window_t window, uint32_t target)
{
    return (struct pair_key){window, target};
}

static struct lock_epoch *find_lock(struct engine *engine, window_t window, uint32_t target)
{
    struct pair_key key = key_of(window, target);
    struct lock_epoch *lock;
    HASH_FIND(hh, engine->locks, &key, sizeof key, lock);
    return lock;
}

static struct lock_epoch *add_lock(struct engine *engine, window_t window, uint32_t target,
                                   enum lock_type type, bool by_lock_all)
{
    struct lock_epoch *lock = allocate_zeroed(1, sizeof *lock);
    lock->key = key_of(window, target);
    lock->type = type;
    lock->by_lock_all = by_lock_all;
    HASH_ADD(hh, engine->locks, key, sizeof lock->key, lock);
    return lock;
}

static void delete_lock(struct engine *engine, struct lock_epoch *lock)
{
    HASH_DEL(engine->locks, lock);
    clock_clear(&lock->acquired);
    free(lock);
}

/* A lock_all locks every target; what has to be remembered of one is made when it is needed. */
struct lock_epoch *lock_held(struct engine *engine, const struct window_state *window,
                             uint32_t target)
{
    struct lock_epoch *lock = find_lock(engine, window->id, target);
    if (!lock && window->locked_all)
        lock = add_lock(engine, window->id, target, LOCK_SHARED, true);
    return lock;
}

void lock_noted_read(struct engine *engine, struct thread_state *thread, struct lock_epoch *lock)
{
    if (!MUTANT(edge_lock))
        thread_learn(engine, thread, &lock->acquired);
}

void locks_note_own(struct engine *engine, struct thread_state *thread, uint64_t low, uint64_t high,
                    bool store)
{
    const struct lockset *set = &engine->locksets[engine->lockset];
    for (size_t i = 0; i < set->count; i++) {
        struct window_state *window = window_find(engine, set->locks[i].window);
        if (!window || !ranges_touch(&window->memory, low, high, NULL))
            continue;
        struct lock_epoch *lock = lock_held(engine, window, engine->config.rank);
        if (store)
            lock->wrote |= !MUTANT(own_store_is_no_write);
        else if (!MUTANT(own_load_is_no_read))
            lock_noted_read(engine, thread, lock);
    }
}

/* ---- Lock and unlock ---- */

void engine_lock(struct engine *engine, uint32_t thread, window_t id, uint32_t target,
                 enum lock_type type)
{
    (void)thread;
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    if (engine->direct_pending)
        origin_hand_over_direct(engine); /* these were not inside the lock */
    if (target == RANK_ALL)
        window->locked_all = true;
    else if (!find_lock(engine, id, target))
        add_lock(engine, id, target, type, false);
    if (target == RANK_ALL || target == engine->config.rank)
        own_lock_changed(engine, id, lock_held(engine, window, engine->config.rank)->type);
}

/* The state of a lock: what the epochs that wrote knew when they ended, the exclusive ones and the
 * shared ones apart, since a shared epoch is not ordered after shared ones. */
enum { LOCK_STATE_MAGIC = 'L', LOCK_STATE_VERSION = 1 };

struct lock_state {
    struct clock exclusive, shared;
};

static void lock_state_clear(struct lock_state *state)
{
    clock_clear(&state->exclusive);
    clock_clear(&state->shared);
}

static bool lock_state_decode(struct lock_state *state, const void *bytes, size_t size)
{
    *state = (struct lock_state){CLOCK_EMPTY, CLOCK_EMPTY};
    if (size == 0)
        return true;
    struct reader in = reader_of(bytes, size);
    if (read_byte(&in) != LOCK_STATE_MAGIC || read_byte(&in) != LOCK_STATE_VERSION)
        return false;
    uint64_t first = read_number(&in);
    if (in.failed || first > bytes_left(&in) ||
        !clock_decode(&state->exclusive, in.at, (size_t)first))
        return false;
    in.at += first;
    if (clock_decode(&state->shared, in.at, bytes_left(&in)))
        return true;
    lock_state_clear(state);
    return false;
}

static void lock_state_encode(const struct lock_state *state, struct writer *out)
{
    out->size = 0;
    uint8_t *scratch = allocate(clock_encoded_bound(&state->exclusive));
    size_t size = clock_encode(&state->exclusive, scratch);
    write_byte(out, LOCK_STATE_MAGIC);
    write_byte(out, LOCK_STATE_VERSION);
    write_number(out, size);
    write_reserve(out, size + clock_encoded_bound(&state->shared));
    memcpy(out->bytes + out->size, scratch, size);
    out->size += size;
    out->size += clock_encode(&state->shared, out->bytes + out->size);
    free(scratch);
}

bool engine_lock_acquired(struct engine *engine, uint32_t thread, window_t id, uint32_t target,
                          const void *bytes, size_t size)
{
    (void)thread;
    struct lock_state state;
    struct window_state *window = window_find(engine, id);
    struct lock_epoch *lock = window ? lock_held(engine, window, target) : NULL;
    if (!lock || !lock_state_decode(&state, bytes, size))
        return false;
    clock_join(&lock->acquired, &state.exclusive);
    if (lock->type == LOCK_EXCLUSIVE || MUTANT(shared_locks_order))
        clock_join(&lock->acquired, &state.shared);
    lock_state_clear(&state);
    engine->shadow.version++; /* own loads from now on learn it, on every page */
    return true;
}

static const void *contribution_of(struct engine *engine, struct thread_state *thread,
                                   const struct lock_epoch *lock, size_t *size)
{
    *size = 0;
    if (!lock->wrote && !MUTANT(silent_locks_order))
        return NULL;
    const struct clock *known = thread_release(engine, thread);
    struct lock_state state = {CLOCK_EMPTY, CLOCK_EMPTY};
    if (lock->type == LOCK_EXCLUSIVE)
        state.exclusive = *known;
    else
        state.shared = *known;
    lock_state_encode(&state, &engine->clock_out);
    *size = engine->clock_out.size;
    return engine->clock_out.bytes;
}

static bool window_locks_all(const struct engine *engine, window_t id)
{
    const struct window_state *window = window_find(engine, id);
    return window && window->locked_all;
}

const void *engine_unlock(struct engine *engine, uint32_t number, window_t id, uint32_t target,
                          size_t *size)
{
    *size = 0;
    struct thread_state *thread = thread_of(engine, number);
    struct lock_epoch *lock = find_lock(engine, id, target);
    if (!lock)
        return NULL;
    if (engine->direct_pending)
        origin_hand_over_direct(engine); /* while they are inside the lock */
    if (!MUTANT(end_unlock))
        origin_complete(engine, thread, id, target, COMPLETES_ALL);
    const void *contribution = contribution_of(engine, thread, lock, size);
    delete_lock(engine, lock);
    if (target == engine->config.rank)
        own_lock_changed(engine, id, window_locks_all(engine, id) ? LOCK_SHARED : LOCK_NONE);
    return contribution;
}

void engine_unlock_all(struct engine *engine, uint32_t number, window_t id,
                       engine_contribute *contribute, void *context)
{
    struct window_state *window = window_find(engine, id);
    if (!window)
        return;
    struct thread_state *thread = thread_of(engine, number);
    if (engine->direct_pending)
        origin_hand_over_direct(engine);
    if (!MUTANT(end_unlock))
        origin_complete(engine, thread, id, RANK_ALL, COMPLETES_ALL);
    window->locked_all = false;
    struct lock_epoch *lock, *next;
    HASH_ITER(hh, engine->locks, lock, next)
    {
        if (lock->key.window != id || !lock->by_lock_all)
            continue;
        size_t size;
        const void *contribution = contribution_of(engine, thread, lock, &size);
        if (size && contribute)
            contribute(context, (uint32_t)lock->key.target, contribution, size);
        delete_lock(engine, lock);
    }
    lock = find_lock(engine, id, engine->config.rank);
    own_lock_changed(engine, id, lock ? lock->type : LOCK_NONE);
}

void *engine_lock_state_merge(const void *state, size_t size, const void *contribution,
                              size_t contribution_size, size_t *merged_size)
{
    *merged_size = 0;
    if (size == 0 && contribution_size == 0)
        return NULL;
    struct lock_state old, more;
    *merged_size = SIZE_MAX;
    if (!lock_state_decode(&old, state, size))
        return NULL;
    if (!lock_state_decode(&more, contribution, contribution_size)) {
        lock_state_clear(&old);
        return NULL;
    }
    clock_join(&old.exclusive, &more.exclusive);
    clock_join(&old.shared, &more.shared);
    struct writer out = {0};
    lock_state_encode(&old, &out);
    lock_state_clear(&old);
    lock_state_clear(&more);
    *merged_size = out.size;
    return out.bytes;
}

bool engine_lock_state_has_exclusive(const void *bytes, size_t size)
{
    struct lock_state state;
    if (!lock_state_decode(&state, bytes, size))
        return true;
    bool has = state.exclusive.generation > 0 || state.exclusive.run_count > 0;
    lock_state_clear(&state);
    return has;
}

void locks_clear(struct engine *engine)
{
    struct lock_epoch *lock, *next;
    HASH_ITER(hh, engine->locks, lock, next)
    {
        delete_lock(engine, lock);
    }
}
