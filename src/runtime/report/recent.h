/* The last calls of this process that may order anything, and what was told and learnt in them: the
 * diagrams of reports show them. A ring of fixed size for each thread, so that a busy one does not
 * push out what the others did; always on while races between ranks are looked for: about 20
 * instructions a call, which is at least some hundred. Events are numbered through all rings. Needs
 * the session's lock. */
#ifndef REGATTA_RUNTIME_RECENT_H
#define REGATTA_RUNTIME_RECENT_H

#include <stdint.h>

#include "actors.h"
#include "interpose/call.h"
#include "transport.h"

enum recent_kind {
    RECENT_CALL,
    RECENT_ACCESS, /* a load or store, with option draw */
    RECENT_SENT,   /* a clock went to `peer` */
    RECENT_LEARNT, /* that of `peer` became known */
    RECENT_WORLD,  /* all ranks have waited for each other */
    RECENT_HEARD,  /* what thread `peer` did up to event `number` is ordered before */
};

struct recent {
    enum recent_kind kind;
    int32_t peer; /* of calls: the target, or -1 */
    const struct routine *routine;
    const void *caller;
    enum letter_kind letter;
    uint64_t topic; /* of calls: the window, or 0 */
    uint64_t number;
    uint64_t n; /* of the event */
    uint32_t thread;
    struct moment moment; /* of calls and accesses, where there are several threads */
};

/* Threads beyond that share rings. */
enum { RECENT_SIZE = 256, RECENT_RINGS = 32 };

struct recent_ring {
    struct recent events[RECENT_SIZE];
    uint64_t next;                /* events of this ring so far */
    uint64_t heard[RECENT_RINGS]; /* what is known of the others: events below */
};

struct recent_rings {
    struct recent_ring *rings[RECENT_RINGS]; /* by thread; NULL: none yet */
    uint64_t next;                           /* number of the next event */
    uint64_t written;                        /* those below are in the records */
    uint64_t worlds;
};
extern struct recent_rings recent;

struct recent_ring *recent_make_ring(uint32_t thread);

static inline uint32_t recent_thread(void)
{
    return actors_are_watched() ? actor_thread_number() : 0;
}

static inline struct recent_ring *recent_ring(uint32_t thread)
{
    struct recent_ring *ring = recent.rings[thread % RECENT_RINGS];
    return ring ? ring : recent_make_ring(thread);
}

static inline struct recent *recent_add(struct recent_ring *ring, uint32_t thread,
                                        enum recent_kind kind)
{
    struct recent *event = &ring->events[ring->next++ % RECENT_SIZE];
    event->kind = kind;
    event->n = recent.next++;
    event->thread = thread;
    return event;
}

/* With several threads: the moment, and which events of others the thread has learnt of. */
void recent_place(struct recent_ring *ring, struct recent *event);

/* Polling counts once. */
static inline void recent_call(const struct call *call)
{
    uint32_t thread = recent_thread();
    struct recent_ring *ring = recent_ring(thread);
    struct recent *event = &ring->events[(ring->next - 1) % RECENT_SIZE];
    if (event->kind != RECENT_CALL || event->caller != call->caller ||
        event->routine != call->routine || event->thread != thread)
        event = recent_add(ring, thread, RECENT_CALL);
    event->routine = call->routine;
    event->caller = call->caller;
    event->peer = routine_has(call->routine, ROLE_target) ? call->target : -1;
    event->topic =
        routine_has(call->routine, ROLE_win) ? (uint64_t)(uintptr_t)call->win : (uint64_t)0;
    if (actors_are_watched())
        recent_place(ring, event);
}

/* A load or store of the program; those that come again and again from one place count once. */
void recent_access(const void *caller, bool store);
void recent_clock(enum recent_kind kind, uint32_t peer, enum letter_kind letter, uint64_t topic,
                  uint64_t number);
void recent_world(void);

/* Writes what is not in the records yet. */
void recent_write(void);

#endif
