/* A call as the detector keeps it from before to after, and its side of the generated wrappers
 * (interpose/wrapper.h). */
#ifndef REGATTA_RUNTIME_WATCHED_CALL_H
#define REGATTA_RUNTIME_WATCHED_CALL_H

#include "interpose/call.h"
#include "receive.h"

/* A request that the program passed to a completing call, as it was before the call. */
struct call_request {
    MPI_Request handle;
    const void *variable; /* where the program keeps it */
};

enum { CALL_REQUESTS_INSIDE = 16 };

/* As in struct call, members are set when they are needed. */
struct watched_call {
    struct call call;
    int result; /* that MPI returned */
    struct operation *operation;
    struct call_request *saved; /* saved_inside, or allocated if there are more */
    struct call_request saved_inside[CALL_REQUESTS_INSIDE];
    struct collective *collective; /* edges of a blocking collective call */
    uint64_t child_name;           /* of the communicator that the call makes */
    struct collective *late;       /* of a constructor whose members are known afterwards only */
    struct watched_window *freed_window;
    struct member *members;         /* of the window that the call makes */
    struct visible_window *visible; /* likewise, NULL but for shared ones */
    uint64_t rma_request;           /* the engine's number of a request-based RMA operation */
    void *asks;                     /* where an update is to say what it found; NULL: it is not */
    bool saved_wants_status; /* one of the saved requests is a wildcard receive, or cancelled */
    struct receive *receive; /* of a blocking receive; receive_inside, or NULL */
    struct receive receive_inside;
    struct synchronous_send send;           /* of a blocking synchronous send */
    struct encounter *encounter;            /* for the rules of threads; NULL: not looked at */
    const void *outer_frame, *outer_caller; /* the MPI call whose callback makes this one */
};

/* Every struct call in this library is the beginning of one. */
#define watched(of)                                                                                \
    _Generic((of),                                                                                 \
        const struct call *: (const struct watched_call *)(of),                                    \
        struct call *: (struct watched_call *)(of))

#endif
