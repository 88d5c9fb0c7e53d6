/* A receive, from its posting to its completion. */
#ifndef REGATTA_RUNTIME_RECEIVE_H
#define REGATTA_RUNTIME_RECEIVE_H

#include <stdbool.h>
#include <stdint.h>

struct comm;

struct receive {
    struct comm *comm; /* NULL: nothing to do (no clocks, or MPI_PROC_NULL) */
    int source, tag;
    bool partitioned;
    uint64_t position; /* among all receives of the communicator */
    uint64_t index;    /* among those with this very source and tag, if both are given */
    uint64_t needed;   /* once matched: how many clocks of its channel it may know */
    struct receive *previous, *next; /* wildcards of the communicator */
};

#endif
