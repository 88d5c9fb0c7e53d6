#include "flags.h"

#include "access/hooks.h"
#include "actor_state.h"

void *flag_begin(const void *address, unsigned how)
{
    struct sync *sync =
        runtime_here.actor && actors_are_concurrent() ? sync_at(address, SYNC_ATOMIC) : NULL;
    if (!sync)
        return NULL;
    if (how & ATOMIC_RELEASES)
        actor_settle();
    spin_lock(&sync->lock);
    return sync;
}

/* A load takes what the value brings along; relaxed, a later fence does. */
static void take(struct actor *actor, struct sync *sync, unsigned how)
{
    if (how & ATOMIC_ACQUIRES)
        sync_taken(sync);
    else
        knowledge_join(&actor->passed, &sync->known);
}

/* A store begins anew what the value brings along, unless it is a relaxed one of the thread that
 * left it there (C11 5.1.2.4, release sequences); a read-modify-write adds to it. A relaxed one
 * leaves what was known at the last fence. */
static void leave(struct actor *actor, struct sync *sync, unsigned how)
{
    if (!(how & ATOMIC_READS) && !sync->many && (how & ATOMIC_RELEASES || sync->latest != actor))
        sync_emptied(sync);
    if (how & ATOMIC_RELEASES)
        sync_left(sync);
    else if (actor->fenced.count > 0)
        sync_left_past(sync, &actor->fenced);
}

void flag_end(void *object, unsigned how)
{
    struct sync *sync = object;
    if (how & ATOMIC_READS)
        take(runtime_here.actor, sync, how);
    if (how & ATOMIC_WRITES)
        leave(runtime_here.actor, sync, how);
    spin_unlock(&sync->lock);
}

void flag_fence(unsigned how)
{
    struct actor *actor = runtime_here.actor;
    if (!actor || !actors_are_concurrent())
        return;
    actor_settle();
    if (how & ATOMIC_ACQUIRES)
        actor_learn_known(&actor->passed);
    if (how & ATOMIC_RELEASES) {
        actor_advance();
        knowledge_copy(&actor->fenced, &actor->known);
    }
}
