/* Operations that wait, and when they go to MPI. */
#ifndef REGATTA_STRESS_RELEASE_H
#define REGATTA_STRESS_RELEASE_H

#include "delayed.h"

enum { ALL_TARGETS = -1 };

/* Keeps an operation back. */
bool release_later(struct stressed_window *window, struct operation *operation);

/* Issues now what the completing call that follows must complete: everything on the target, or, if
 * it completes locally only, what writes memory of the origin. Needs window->releasing, which must
 * stay held until release_settle. Returns the first error of MPI. */
int release_remote(struct stressed_window *window, int target);
int release_local(struct stressed_window *window, int target);
/* The same for a single operation that waits, as a wait for its request demands. */
int release_one(struct stressed_window *window, struct operation *operation);
/* An operation that need not wait, at once. It belongs to the window then. */
int release_now(struct stressed_window *window, struct operation *operation);

/* The completing call is over: issued operations on the target are complete, at least locally. */
void release_settle(struct stressed_window *window, int target, bool remote);

/* Whether operations on the window are not known to be complete. */
bool release_is_pending(const struct stressed_window *window);

#endif
