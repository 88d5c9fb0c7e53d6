/* Syncs (actors.h): what actors leave what they know in, and take it from. */
#include <stdlib.h>
#include <string.h>

#include "actor_state.h"

struct sync *sync_new(void)
{
    return calloc(1, sizeof(struct sync));
}

void sync_free(struct sync *sync)
{
    if (!sync)
        return;
    knowledge_clear(&sync->known);
    knowledge_clear(&sync->sure);
    free(sync);
}

void sync_reset(struct sync *sync)
{
    if (!sync)
        return;
    spin_lock(&sync->lock);
    sync_emptied(sync);
    spin_unlock(&sync->lock);
}

/* Whether the object knows exactly what its latest releaser knew, and the actor knows that: mutexes
 * that are not contended. */
static bool knows_all_of(const struct actor *actor, const struct sync *sync)
{
    return sync->latest && (sync->latest == actor ||
                            knowledge_of(&actor->known, sync->latest->number) >= sync->latest_time);
}

static void leave_known(struct sync *sync)
{
    struct actor *actor = runtime_here.actor;
    uint64_t time = actor->now;
    actor_advance();
    if (sync->latest == actor && sync->latest_version == actor->version) {
        sync->known.times[actor->number] = time;
    } else if (sync->known.count == 0 || knows_all_of(actor, sync)) {
        knowledge_copy(&sync->known, &actor->known);
        sync->latest = actor;
    } else {
        knowledge_join(&sync->known, &actor->known);
        sync->latest = NULL;
    }
    sync->latest_time = time;
    sync->latest_version = actor->version;
}

void sync_left(struct sync *sync)
{
    leave_known(sync);
    knowledge_join(&sync->sure, &runtime_here.actor->sure);
}

void sync_left_past(struct sync *sync, const struct knowledge *known)
{
    knowledge_join(&sync->known, known);
    knowledge_join(&sync->sure, known);
    sync->latest = NULL;
}

void sync_emptied(struct sync *sync)
{
    sync->known.count = sync->sure.count = 0;
    sync->latest = NULL;
}

static void take_known(struct sync *sync)
{
    if (sync->known.count == 0 || knows_all_of(runtime_here.actor, sync))
        return;
    actor_settle();
    actor_learn_known_by_lock(&sync->known);
}

void sync_taken(struct sync *sync)
{
    take_known(sync);
    knowledge_join(&runtime_here.actor->sure, &sync->sure);
}

static bool is_followed(const struct sync *sync)
{
    return sync && runtime_here.actor && actors_are_concurrent();
}

static void release(struct sync *sync, bool lock)
{
    if (!is_followed(sync))
        return;
    actor_settle();
    spin_lock(&sync->lock);
    if (lock)
        leave_known(sync);
    else
        sync_left(sync);
    spin_unlock(&sync->lock);
}

static void acquire(struct sync *sync, bool lock)
{
    if (!is_followed(sync))
        return;
    spin_lock(&sync->lock);
    if (lock)
        take_known(sync);
    else
        sync_taken(sync);
    spin_unlock(&sync->lock);
}

void sync_release(struct sync *sync)
{
    release(sync, false);
}

void sync_acquire(struct sync *sync)
{
    acquire(sync, false);
}

void lock_acquired(struct sync *sync)
{
    struct actor *actor = runtime_here.actor;
    if (!sync || !actor)
        return;
    acquire(sync, true);
    if (actor->lock_count < ACTOR_LOCKS)
        actor->locks[actor->lock_count] = sync;
    actor->lock_count++;
}

void lock_released(struct sync *sync)
{
    release(sync, true);
    lock_dropped(sync);
}

void lock_dropped(const struct sync *sync)
{
    struct actor *actor = runtime_here.actor;
    if (!sync || !actor)
        return;
    uint32_t kept = actor->lock_count < ACTOR_LOCKS ? actor->lock_count : ACTOR_LOCKS;
    for (uint32_t i = kept; i-- > 0;)
        if (actor->locks[i] == sync) {
            memmove(&actor->locks[i], &actor->locks[i + 1],
                    (kept - i - 1) * sizeof actor->locks[0]);
            actor->lock_count--;
            return;
        }
    if (actor->lock_count > ACTOR_LOCKS)
        actor->lock_count--;
}

struct held_locks actor_locks(void)
{
    struct held_locks held = {0};
    const struct actor *actor = runtime_here.actor;
    uint32_t kept = !actor ? 0 : actor->lock_count < ACTOR_LOCKS ? actor->lock_count : ACTOR_LOCKS;
    for (uint32_t i = kept; i-- > 0 && held.count < LOCKS_SHOWN;)
        held.locks[held.count++] = actor->locks[i];
    return held;
}

bool locks_meet(const struct held_locks *a, const struct held_locks *b)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (a->locks[i] == b->locks[k])
                return true;
    return false;
}

/* ---- by address ---- */

/* Chains only grow, so that they can be read without a lock. What was at an address stays there:
 * its next object there begins with sync_reset. */
enum { SYNC_BITS = 14 };
static struct sync *_Atomic table[1 << SYNC_BITS];

static size_t slot_of(const void *address, unsigned role)
{
    return ((uintptr_t)address * 8 + role) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SYNC_BITS);
}

static _Atomic uint32_t objects; /* in the table */

static struct sync *sync_find(const void *address, unsigned role)
{
    struct sync *sync = atomic_load_explicit(&table[slot_of(address, role)], memory_order_acquire);
    while (sync && (sync->address != address || sync->role != role))
        sync = sync->next;
    return sync;
}

static struct sync *sync_add(const void *address, unsigned role)
{
    struct sync *_Atomic *slot = &table[slot_of(address, role)];
    struct sync *sync = sync_new(), *first = atomic_load_explicit(slot, memory_order_acquire);
    if (!sync)
        return NULL;
    sync->address = address;
    sync->role = role;
    do {
        sync->next = first;
        for (struct sync *other = first; other; other = other->next)
            if (other->address == address && other->role == role) {
                sync_free(sync); /* another thread was faster */
                return other;
            }
    } while (!atomic_compare_exchange_weak_explicit(slot, &first, sync, memory_order_acq_rel,
                                                    memory_order_acquire));
    atomic_fetch_add(&objects, 1);
    return sync;
}

/* Arrays of atomics may be large. Beyond this many objects those that come later share some: that
 * orders too much, never too little. */
enum { OBJECTS = 1 << 16, SHARED_OBJECTS = 1 << 10 };

struct sync *sync_at(const void *address, unsigned role)
{
    struct sync **recent =
        &runtime_here.syncs[((uintptr_t)address >> 3 ^ role) & (THREAD_SYNCS - 1)];
    struct sync *sync = *recent;
    if (sync && sync->address == address && sync->role == role)
        return sync;
    if ((sync = sync_find(address, role)))
        return *recent = sync;
    if (role != SYNC_ATOMIC || atomic_load_explicit(&objects, memory_order_relaxed) < OBJECTS)
        return sync_add(address, role);
    const void *representative = (const void *)((uintptr_t)address >> 3 & (SHARED_OBJECTS - 1));
    sync = sync_find(representative, role);
    if (!sync && (sync = sync_add(representative, role)))
        sync->many = true;
    return sync;
}

void sync_renew(const void *address)
{
    for (unsigned role = 0; role < SYNC_ROLES; role++)
        for (struct sync *sync = atomic_load(&table[slot_of(address, role)]); sync;
             sync = sync->next)
            if (sync->address == address && sync->role == role)
                sync_reset(sync);
}

/* ---- barriers ---- */

void barrier_prepare(const void *address, uint32_t parties)
{
    struct sync *sync = sync_at(address, SYNC_BARRIER), *odd = sync_at(address, SYNC_BARRIER_ODD);
    if (!sync || !odd)
        return;
    sync_reset(sync);
    sync_reset(odd);
    sync->parties = parties;
    sync->arrivals = 0;
}

struct sync *barrier_arrive(const void *address)
{
    struct sync *even = sync_at(address, SYNC_BARRIER), *odd = sync_at(address, SYNC_BARRIER_ODD);
    if (!actors_are_watched() || !even || !odd)
        return NULL;
    spin_lock(&even->lock);
    uint64_t arrival = even->arrivals++, parties = even->parties;
    uint64_t phase = parties ? arrival / parties & 1 : 0;
    bool first = parties && arrival % parties == 0;
    if (first && !phase)
        sync_emptied(even);
    if (first && phase)
        sync_reset(odd);
    spin_unlock(&even->lock);
    struct sync *sync = phase ? odd : even;
    sync_release(sync);
    return sync;
}
