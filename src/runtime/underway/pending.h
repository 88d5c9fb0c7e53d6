/* RMA operations whose origin buffers nobody has asked about yet.
 *
 * Most puts and accumulates are flushed before any other call could touch their origin buffer. So
 * they are only noted here, a few words each, and become operations with buffers in use
 * (operations.h) when somebody wants to know: before any buffer is checked, before a datatype is
 * freed, or when the list is full. Datatypes of the program's own are not put off: they may be
 * freed unseen. Only reads of the origin are put off, and only while no buffer is in use: then they
 * conflict with nothing yet. Nothing is put off while compiled-in checks look at the
 * program's own stores. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_PENDING_H
#define REGATTA_RUNTIME_PENDING_H

#include "actors.h"
#include "watched_call.h"
#include "engine/inuse.h"
#include "interpose/datatype_layout.h"
#include "pages.h"
#include "session.h"

enum { PENDING = 64 };

struct pending {
    const struct routine *routine;
    const struct stack *stack;
    MPI_Win win;
    int target, thread;
    void *base;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
};

extern struct pending pendings[PENDING];
extern int pending_count;

/* Whether the operation that this call issues can be put off. */
static inline bool pending_accepts(const struct call *call)
{
    return call->routine->nbuffers == 1 && call->routine->buffers[0].role == ROLE_read &&
           !routine_has(call->routine, ROLE_new_request) && !session.engine && !pages &&
           !actors_are_watched() && inuse_empty(session.inuse) &&
           layout_is_permanent(session.layouts, call->buffers[0].type);
}
void pending_add(const struct call *call);

/* The call that was noted last has failed: forget it. */
void pending_retract(const struct call *call);

/* Those of a window (and, unless it is negative, of one target) are complete. */
void pending_complete(MPI_Win win, int target);

/* The call that it was, without its place. */
struct watched_call pending_as_call(const struct pending *pending);

/* Makes operations of all of them. */
void pending_settle_all(void);
static inline void pending_settle(void)
{
    if (pending_count > 0)
        pending_settle_all();
}

#endif
