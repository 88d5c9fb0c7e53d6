/* Requests of RMA operations that wait: the program holds a generalized request, which is completed
 * when it is waited for or tested. */
#ifndef REGATTA_STRESS_STAND_INS_H
#define REGATTA_STRESS_STAND_INS_H

#include "delayed.h"

/* A request for an operation that will wait; false if MPI gives none. It is stored where the
 * program wants it. */
bool rma_request_make(struct operation *operation, struct stressed_window *window,
                      const struct call *call);
/* The operation was issued. Needs layer_lock. */
void rma_request_issued(struct operation *operation);
/* The operation will not wait after all. */
void rma_request_discard(struct operation *operation);

/* Before a call that waits for or tests requests: whatever of ours is among them is made complete.
 */
void rma_requests_finish(const struct call *call);

/* Stores a request where the program keeps it, in C or Fortran. */
void call_store_request(const struct call *call, void *variable, MPI_Request request);

#endif
