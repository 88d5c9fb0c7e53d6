/* Happens-before edges of collectives, by their data flow. Needs the session's lock.
 *
 * A collective that orders all of MPI_COMM_WORLD costs nothing: everybody starts a new generation.
 * In all others each rank sends its clock, at entry, to those who get data from it, and collects,
 * at completion, the clocks of those from whom it got some. */
#ifndef REGATTA_RUNTIME_COLLECTIVES_H
#define REGATTA_RUNTIME_COLLECTIVES_H

#include "comms.h"

/* One collective from entry to completion. */
struct collective {
    bool world;        /* a new generation, no clocks */
    bool unwatched;    /* entered before anybody looked for races: collects what has come under its
                          topic */
    uint64_t topic;    /* communicator and number of the collective on it */
    uint32_t *sources; /* whose clocks to collect, in ranks of MPI_COMM_WORLD; allocated */
    int nsources;
};

/* Who gives data to whom in a collective, as this rank sees it. Persistent ones keep it: when they
 * are started, the datatypes that it was made from may be gone. */
struct collective_plan {
    struct comm *comm;                /* in use by the plan of a persistent collective */
    uint32_t *sources, *destinations; /* allocated */
    int nsources, ndestinations;
};

/* At entry of a call with `orders` in calls.def; a blocking one may be world-wide. NULL if it makes
 * no edges. */
struct collective *collective_enter(struct call *call, bool blocking);
/* The same in two steps, for persistent ones. NULL if it makes no edges. */
struct collective_plan *collective_prepare(struct call *call);
struct collective *collective_start(const struct collective_plan *plan);
void collective_unprepare(struct collective_plan *plan);
/* The same for calls that synchronise all members of a communicator whatever their arguments. */
struct collective *collective_enter_all(MPI_Comm comm, bool blocking);
struct collective *collective_enter_all_of(struct comm *comm, bool blocking);
/* At completion; frees it. NULL is fine. */
void collective_leave(struct collective *collective);
/* The same for the last one on this communicator, if it was entered before anybody looked for
 * races. */
void collective_leave_unwatched(const struct comm *comm);
/* The call failed, or its request was freed. */
void collective_forget(struct collective *collective);

#endif
