/* Calls that work on requests: waits and tests in all forms, starts, frees. Needs the session's
 * lock. */
#ifndef REGATTA_RUNTIME_REQUESTS_H
#define REGATTA_RUNTIME_REQUESTS_H

#include "watched_call.h"

/* The call's operation gets the request that MPI returned. */
void requests_bind(struct call *call);

/* Before a wait or test: remembers the handles, which MPI is going to overwrite. After it: the ones
 * that it completed. */
void requests_save(struct call *call);
void requests_completed(struct call *call, int result);

void requests_activate(struct call *call);  /* before MPI_Start, MPI_Startall */
void requests_ready(struct call *call);     /* before MPI_Pready* */
void requests_peeked(struct call *call);    /* after MPI_Request_get_status */
void requests_cancelled(struct call *call); /* before MPI_Cancel */
void requests_release(struct call *call);   /* before MPI_Request_free */

/* MPI_Finalize: requests that were never completed. */
void requests_check_leaks(void);

#endif
