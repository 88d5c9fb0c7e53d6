/* What this process is in, told where it can be read from outside, even when it was killed:
 * ends/page.h. A few stores per call; everything else comes with rarer events.
 *
 * Locking: a place belongs to its thread. Groups and locks need the session's lock. */
#ifndef REGATTA_RUNTIME_ENDS_H
#define REGATTA_RUNTIME_ENDS_H

#include "ends/page.h"
#include "interpose/call.h"
#include "runtime_thread.h"

struct comm;
struct operation;

extern struct page *ends_page;

/* Makes <directory>/<name>.page; without it nothing is told and all else is as always. */
void ends_start(const char *directory, const char *name);
/* The process leaves MPI. */
void ends_finish(enum page_state state);
/* A forked child: the page is its parent's. */
void ends_forget(void);
/* The first call of a thread. */
void ends_thread(void);

/* Before and after every call that the program makes: about 15 stores. */
void ends_enter_call(const struct call *call);

static inline void ends_enter(const struct call *call)
{
    if (ends_page)
        ends_enter_call(call);
}

static inline void ends_leave(void)
{
    if (runtime_here.place)
        runtime_here.place->inside = 0;
}

/* Further on the way of a call, when its requests or groups are known. */
void ends_refine(const struct call *call);

/* The same for calls of the quick path (quick.h), which have no struct call. */
static inline __attribute__((always_inline)) void
ends_enter_quick(enum routine_id routine, const void *caller, uint64_t handle, int peer, int tag)
{
    struct page_place *place = runtime_here.place;
    if (!place)
        return;
    place->routine = routine;
    place->nitems = 1;
    place->caller = (uintptr_t)caller;
    place->items[0].routine = routine;
    place->items[0].handle = handle;
    place->items[0].peer = place->items[0].source = peer;
    place->items[0].tag = tag;
    place->calls++;
    place->inside = 1;
}

/* What an operation is about, kept until somebody waits for it. */
void ends_describe(struct page_item *item, const struct call *call);

/* Communicators and the groups of windows. */
void ends_comm_known(struct comm *comm);
void ends_window_known(struct comm *group, MPI_Win win);
void ends_group_gone(struct comm *comm);
/* Where messages of a channel are counted, besides: never NULL. */
uint64_t *ends_channel_known(const struct comm *comm, int tag, uint32_t peer, bool sends);
/* From now on messages are not counted any more. */
void ends_channels_lost(void);
/* Where a group's collectives are counted, in a page or not. */
extern uint64_t ends_uncounted;

/* MPI_Win_lock, MPI_Win_lock_all and their ends, after they succeeded. */
void ends_locked(const struct call *call);
void ends_unlocked(const struct call *call);

/* Signals that end the process, and the one that asks (deaths.c). */
void deaths_prepare(void);

#endif
