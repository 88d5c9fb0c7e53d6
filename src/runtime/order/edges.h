/* What calls mean for the order of events between ranks: messages, collectives, communicators. Each
 * function is part of what a verb of calls.def means (verbs.c). Called from MPI_Init on if races
 * between ranks are looked for at all; until the first window exists there is no engine
 * (session.engine is NULL) and only communicators and collectives are counted. Needs the session's
 * lock unless something else is said. */
#ifndef REGATTA_RUNTIME_EDGES_H
#define REGATTA_RUNTIME_EDGES_H

#include "watched_call.h"
#include "channel.h"

struct operation;

/* A rank that is in no window passes on what others did to theirs: it must know that there is one.
 * Before anything else is done for a call, and after it. */
void edges_wake(void);

/* Blocking calls, before and after. */
void edges_blocking(struct call *call);
void edges_blocking_over(struct call *call, bool success);
/* Before the call that starts an operation, or makes a persistent one. */
void edges_start(struct call *call);
void edges_prepare(struct call *call);
/* After a probe that succeeded. */
void edges_probed(struct call *call);

/* Constructors, before and after; in between, right after the call and without the lock, what needs
 * MPI itself. */
void edges_construct(struct call *call);
void edges_exchange(struct call *call);
void edges_constructed(struct call *call, bool success);

void edges_free(struct call *call);
void edges_freed(struct call *call); /* also if it failed */

void edges_finalise(struct call *call);
void edges_finalised(struct call *call);

/* A receive of the quick path failed, or there are windows by now. Takes the lock. */
void edges_after_quick_receive(struct quick_message receive, bool success);
/* After a barrier of the quick path there are windows. Takes the lock. */
void edges_after_quick_barrier(MPI_Comm comm, bool success);

/* An operation is activated, completed by a wait or test, or given up. `status` may be NULL. */
void edges_activated(struct operation *operation);
void edges_completed(struct operation *operation, const MPI_Status *status);
void edges_given_up(struct operation *operation);

#endif
