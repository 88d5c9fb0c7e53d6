/* The order in which operations are issued: pure arithmetic on their kinds and places, no MPI.
 *
 * MPI orders nothing inside an epoch but accumulates: those of one origin to one location of one
 * target take effect in program order unless the window says otherwise (MPI-4.0 §12.7.2).
 * Operations whose target bytes are connected by overlap form a class, and in a class accumulates
 * keep their order; everything else may go anywhere. */
#ifndef REGATTA_STRESS_ORDER_H
#define REGATTA_STRESS_ORDER_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

enum operation_kind {
    OPERATION_PUT,
    OPERATION_GET,
    OPERATION_ACCUMULATE,
    OPERATION_GET_ACCUMULATE,
    OPERATION_FETCH_AND_OP,
    OPERATION_COMPARE_AND_SWAP,
};

struct placed {
    enum operation_kind kind;
    int target;
    uint64_t low, high; /* bytes at the target; an unknown place is 0 to UINT64_MAX */
    int class;          /* set by order_classes; -1: not an accumulate, or of no bytes */
};

static inline bool is_accumulate(enum operation_kind kind)
{
    return kind >= OPERATION_ACCUMULATE;
}

/* Whether the operation writes memory of the origin, i.e. is over only when its result has arrived.
 */
static inline bool is_fetching(enum operation_kind kind)
{
    return kind == OPERATION_GET || kind >= OPERATION_GET_ACCUMULATE;
}

/* Gives every accumulate its class. False without memory. */
bool order_classes(struct placed *operations, size_t count);

/* A permutation: order[i] is the operation to issue as i-th. Classes must be set, unless
 * `unordered`: the window promises no order of accumulates. False without memory. */
bool order_choose(const struct placed *operations, size_t count, enum issue_order how,
                  bool unordered, uint64_t *random, size_t *order);

#endif
