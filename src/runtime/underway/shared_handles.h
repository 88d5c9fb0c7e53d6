/* Values of request handles that several operations have had at a time: MPI gives all sends that
 * are done at once the same one, and one that it has got back to another thread before this library
 * knows of it. Which operation such a handle means only the variable tells; if the program has
 * moved it, nobody can, now or later: whoever completes it next may have got another thread's
 * operation. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_SHARED_HANDLES_H
#define REGATTA_RUNTIME_SHARED_HANDLES_H

#include "operations.h"

void shared_handle_note(MPI_Request request);
bool handle_was_shared(MPI_Request request);

/* Whether a handle in this variable means that operation for certain. */
static inline bool handle_means(const struct operation *operation, const void *variable)
{
    return operation->request_variable == variable || !handle_was_shared(operation->request);
}

#endif
