/* The last calls of this process that may order anything, and what was told and learnt in them: the
 * diagrams of reports show them. A ring of fixed size, always on while races between ranks are
 * looked for: about 15 instructions a call, which is at least some hundred. Needs the session's
 * lock. */
#ifndef REGATTA_RUNTIME_RECENT_H
#define REGATTA_RUNTIME_RECENT_H

#include <stdint.h>

#include "interpose/call.h"
#include "transport.h"

enum recent_kind {
    RECENT_CALL,
    RECENT_ACCESS, /* a load or store, with option draw */
    RECENT_SENT,   /* a clock went to `peer` */
    RECENT_LEARNT, /* that of `peer` became known */
    RECENT_WORLD,  /* all ranks have waited for each other */
};

struct recent {
    enum recent_kind kind;
    int32_t peer; /* of calls: the target, or -1 */
    const struct routine *routine;
    const void *caller;
    enum letter_kind letter;
    uint64_t topic; /* of calls: the window, or 0 */
    uint64_t number;
};

enum { RECENT_SIZE = 256 };

struct recent_ring {
    struct recent events[RECENT_SIZE];
    uint64_t next;    /* number of the next event */
    uint64_t written; /* those below are in the records */
    uint64_t worlds;
};
extern struct recent_ring recent;

static inline struct recent *recent_add(enum recent_kind kind)
{
    struct recent *event = &recent.events[recent.next++ % RECENT_SIZE];
    event->kind = kind;
    return event;
}

/* Polling counts once. */
static inline void recent_call(const struct call *call)
{
    struct recent *event = &recent.events[(recent.next - 1) % RECENT_SIZE];
    if (event->kind != RECENT_CALL || event->caller != call->caller ||
        event->routine != call->routine)
        event = recent_add(RECENT_CALL);
    event->routine = call->routine;
    event->caller = call->caller;
    event->peer = routine_has(call->routine, ROLE_target) ? call->target : -1;
    event->topic =
        routine_has(call->routine, ROLE_win) ? (uint64_t)(uintptr_t)call->win : (uint64_t)0;
}

/* A load or store of the program; those that come again and again from one place count once. */
void recent_access(const void *caller, bool store);
void recent_clock(enum recent_kind kind, uint32_t peer, enum letter_kind letter, uint64_t topic,
                  uint64_t number);
void recent_world(void);

/* Writes what is not in the records yet. */
void recent_write(void);

#endif
