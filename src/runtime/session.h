/* The state of the runtime in this process, and its life: it is active from MPI_Init to
 * MPI_Finalize if `regatta run` (or `regatta env`) named a directory for records, and lets all calls through
 * untouched otherwise. A forked child is never active. */
#ifndef REGATTA_RUNTIME_SESSION_H
#define REGATTA_RUNTIME_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "routine_ids.h"

struct inuse;
struct layout_cache;

struct session {
    /* Every member below is read and written with the lock held, taken in call_before and
     * call_after and never while the call is with MPI. */
    pthread_mutex_t lock;
    int rank, ranks;             /* in MPI_COMM_WORLD */
    struct inuse *inuse;         /* bytes that MPI may still access */
    struct layout_cache *layouts; /* datatypes that were seen */
};
extern struct session session;

extern atomic_bool session_active;
/* This thread is in a Fortran entry point, see call_enter_fortran. */
extern __thread bool session_inside_fortran;

static inline bool session_is_active(void)
{
    return atomic_load_explicit(&session_active, memory_order_acquire);
}

/* For calls while the session is not active: makes sure that MPI's entry points are known, and
 * says whether this routine is the one that can start the session. */
bool session_admits(enum routine_id routine);

/* MPI has been initialised: start. */
void session_start(void);
/* The process leaves MPI; `state` goes into the records: "finalized", "aborted", "exited". */
void session_end(const char *state);
/* The runtime cannot go on: says why in the records and lets everything through from now on. */
void session_give_up(const char *why);

/* A small number for this thread; 0 is the one that initialised MPI. */
int session_thread(void);

#endif
