/* A window as the detector keeps it: the model that all share (interpose/windows.h), and behind it
 * what hangs from it here. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_WATCHED_WINDOW_H
#define REGATTA_RUNTIME_WATCHED_WINDOW_H

#include "interpose/windows.h"

struct watched_target {
    struct window_target model;
    struct operation *operations, *latest; /* under way, oldest first (window_operations.h) */
};

struct watched_window {
    struct window model;
    int thread;      /* that created it */
    int noperations; /* in the targets' lists */
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
