/* MPI's rules for threads: the way of every call past them. While a process has one thread, nothing
 * is asked but whether that is so. */
#ifndef REGATTA_RUNTIME_THREAD_RULES_H
#define REGATTA_RUNTIME_THREAD_RULES_H

#include "actors.h"
#include "interpose/call.h"
#include "session.h"

/* Whether more than the thread that initialised MPI has to do with MPI. */
static inline bool thread_rules_apply(void)
{
    return actors_are_watched() || !runtime_here.is_owner;
}

/* MPI was initialised by this call; `session_start` has been. */
void thread_rules_start(const struct call *call);
/* Before a call is handed to MPI, and when it has returned, before anything else is made of it.
 * Without the session's lock. */
void thread_rules_before(struct call *call);
void thread_rules_after(struct call *call, int result);
/* A call while no session is active. */
void thread_rules_outside(enum routine_id routine, const void *caller, const void *frame);

bool thread_rules_want_status(const struct call *call);

#endif
