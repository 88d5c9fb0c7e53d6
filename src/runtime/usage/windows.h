/* Windows of this process: epochs that are open, RMA operations under way, and what is wrong with
 * their order (usage findings). Needs the session's lock. */
#ifndef REGATTA_RUNTIME_WINDOWS_H
#define REGATTA_RUNTIME_WINDOWS_H

#include "watched_call.h"

struct operation;
struct window;

/* A constructor returned a window; MPI_Win_free is called (before it is gone). */
void window_created(struct call *call, MPI_Win win);
void window_freed(struct call *call, MPI_Win win);

/* An RMA operation: checks its epoch before the call, keeps it until its completion. */
void window_check_epoch(struct call *call);
void window_add_operation(MPI_Win win, int target, struct operation *operation);
void window_forget_operation(struct operation *operation);
/* The operation that was issued last to that target and is not complete, or NULL. */
struct operation *window_latest_operation(MPI_Win win, int target);

/* The one window, if any, on which puts may take the quick path (quick.h): it is inside
 * MPI_Win_lock_all and none of its operations is kept other than as pending. */
extern MPI_Win window_quick;

/* Synchronisation. _check and _completing before the call; the other after it succeeded. */
void window_sync_check(struct call *call);
void window_completing(const struct call *call);
void window_synchronised(struct call *call);

/* MPI_Finalize: windows that were never freed. */
void windows_check_leaks(void);

#endif
