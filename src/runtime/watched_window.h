/* A window as the detector keeps it: the model that all share (interpose/windows.h), and behind it
 * what hangs from it here. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_WATCHED_WINDOW_H
#define REGATTA_RUNTIME_WATCHED_WINDOW_H

#include "interpose/windows.h"

struct watched_target {
    struct window_target model;
    struct operation *operations, *latest; /* under way, oldest first (window_operations.h) */

    /* What order needs to know of epochs beyond whether they are open (order/epochs.c). */
    bool granted;     /* of a lock: what earlier holders did has been read */
    bool shared_only; /* of these nobody had an exclusive lock and wrote */
    bool fetched;     /* something, since the start of this access epoch */
    uint64_t starts;  /* access epochs so far that named it */
    uint64_t posts;   /* clocks of its posts taken or thrown away */
};

struct watched_window {
    struct window model;
    int thread;                /* that created it */
    int noperations;           /* in the targets' lists */
    struct rma_window *agreed; /* between ranks (order/rma_window.h); NULL: nothing */
};

/* Every struct window in this library is the beginning of one, and so for targets. */
static inline struct watched_window *watched_window(struct window *window)
{
    return (struct watched_window *)window;
}

static inline struct watched_target *watched_target(struct window_target *target)
{
    return (struct watched_target *)target;
}

#endif
