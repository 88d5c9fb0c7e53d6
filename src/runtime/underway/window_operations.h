/* RMA operations under way, by window and target, and what completes them. Needs the session's
 * lock. */
#ifndef REGATTA_RUNTIME_WINDOW_OPERATIONS_H
#define REGATTA_RUNTIME_WINDOW_OPERATIONS_H

#include "watched_call.h"

struct operation;
struct window;

/* An operation was issued, is over. */
void window_add_operation(MPI_Win win, int target, struct operation *operation);
void window_forget_operation(struct operation *operation);
/* The operation that was issued last to that target and is not complete, or NULL. */
struct operation *window_latest_operation(MPI_Win win, int target);

/* A synchronisation call that completes operations of this process: at its entry their buffers are
 * free for other ranks; when it has succeeded they are gone. Origin buffers are free after either
 * kind of flush. */
void window_completing(const struct call *call);
void window_completed(struct window *window, const struct call *call);
/* The window goes, and with it all of them. */
void window_complete_all(struct window *window);

/* The one window, if any, on which puts may take the quick path (quick.h): it is inside
 * MPI_Win_lock_all and none of its operations is kept other than as pending. */
extern MPI_Win window_quick;
/* An epoch of this window was opened or closed, or it goes. */
void window_quick_update(const struct window *window);
void window_quick_end(const struct window *window);

#endif
