/* What is wrong with the order of calls on a window (findings of rule `usage`), by the epochs that
 * are open (interpose/windows.h). Needs the session's lock. */
#ifndef REGATTA_RUNTIME_EPOCH_RULES_H
#define REGATTA_RUNTIME_EPOCH_RULES_H

#include "watched_call.h"

struct window;

/* Before an RMA operation. Also notes in the window that a fence epoch has been used. */
void epoch_check_operation(struct call *call);
/* Before a synchronisation call. */
void epoch_check_sync(struct call *call);
/* MPI_Win_free is called. */
void epoch_check_free(struct call *call, struct window *window);
/* MPI_Finalize: windows that were never freed. */
void windows_check_leaks(void);

#endif
