/* A receive and a synchronous send, from start to completion. */
#ifndef REGATTA_RUNTIME_RECEIVE_H
#define REGATTA_RUNTIME_RECEIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

struct comm;
struct channel;

struct receive {
    struct comm *comm; /* NULL: nothing to do (no clocks, or MPI_PROC_NULL) */
    int source, tag;
    bool matched;            /* source and tag are those of the message */
    bool cancelling;         /* MPI_Cancel was called */
    uint64_t position;       /* among all receives of the communicator */
    struct channel *channel; /* once source and tag are known */
    uint64_t index;          /* of its message in the channel, as far as known; */
    uint64_t unsure;         /* it may be later by as many */
    /* Its request, while MPI can be asked about it: a wildcard that MPI_Request_get_status tells
     * of. */
    MPI_Request request;
    const void *variable; /* where the program has it */
    bool can_be_asked;
    void *clock; /* of a wildcard: as it was posted; allocated, NULL without an engine */
    size_t clock_size;
    struct receive *previous,
        *next; /* wildcards of the communicator, or the others of the channel */
};

struct synchronous_send {
    struct channel *channel; /* NULL: not one, or nothing to do */
    uint64_t index;          /* of its message in the channel */
};

#endif
