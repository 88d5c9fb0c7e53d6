/* What each call means for the order of events between ranks: messages, collectives, windows. The
 * counterpart of dispatch.c for the race engine. Called from MPI_Init on if races between ranks are
 * looked for at all; until the first window exists there is no engine (session.engine is NULL) and
 * only communicators and collectives are counted. */
#ifndef REGATTA_RUNTIME_EDGES_H
#define REGATTA_RUNTIME_EDGES_H

#include "watched_call.h"
#include "channel.h"

struct operation;

/* Without the session's lock: what needs MPI itself, right before and after the call. */
void edges_prepare(struct call *call);
void edges_exchange(struct call *call);

/* With the lock, before and after the call; `operation` is the one that the call starts, if any. */
void edges_before(struct call *call);
void edges_after(struct call *call, bool success);

/* A receive of the quick path failed, or there are windows by now. Takes the lock. */
void edges_after_quick_receive(struct quick_message receive, bool success);
/* After a barrier of the quick path there are windows. Takes the lock. */
void edges_after_quick_barrier(MPI_Comm comm, bool success);

/* An operation is activated, completed by a wait or test, or given up. `status` may be NULL. */
void edges_activated(struct operation *operation);
void edges_completed(struct operation *operation, const MPI_Status *status);
void edges_given_up(struct operation *operation);

#endif
