/* RMA operations: taken from a call, kept, issued. */
#ifndef REGATTA_STRESS_DELAYED_H
#define REGATTA_STRESS_DELAYED_H

#include "copies.h"
#include "order.h"
#include "sites.h"
#include "stressed_windows.h"

struct rma_request;

struct operation {
    enum operation_kind kind;
    const struct routine *routine;
    struct site *site;
    struct buffer origin; /* read; base is `copy`'s once there is one */
    struct buffer
        result; /* written: the origin buffer of a get, the result of a fetching accumulate */
    struct buffer compare; /* read, compare-and-swap only */
    int target;
    MPI_Aint disp;
    int target_count;
    MPI_Datatype target_type;
    MPI_Op op;
    int64_t disp_unit; /* the target's */
    uint64_t
        start; /* byte of the target's window part (address in a dynamic one) that `disp` names */
    uint64_t low, high; /* its bytes there */

    void *copy; /* private copy of the origin buffer, or NULL */
    bool has_hash, poisoned;
    uint64_t origin_hash;        /* of the origin buffer when the program handed it over */
    struct rma_request *request; /* what the program waits for; NULL: none, or over */
    MPI_Datatype held[3];        /* duplicates of the datatypes, unless these are predefined */
    int held_count;
};

/* The operation of a call, allocated; NULL if it is one that must go to MPI at once and as it is:
 * outside of an epoch, an invalid argument, MPI_PROC_NULL, nothing to transfer, a datatype that
 * cannot be decoded. */
struct operation *operation_take(const struct call *call, struct stressed_window *window);
void operation_free(struct operation *operation);

/* Where an operation acts at the target: for the record, also of operations that are not taken. */
struct touch *operation_note(struct operation *operation, const struct stressed_window *window);

/* A short cut for operations that are handed on as they are: one like this call, but for the
 * displacement, was noted before; then this one is noted as well. All is forgotten when a datatype
 * or a window is freed. */
void operation_remember(const struct call *call, const struct stressed_window *window,
                        const struct operation *operation, struct touch *touch);
bool operation_is_remembered(const struct call *call, const struct stressed_window *window);
void operations_forget(void);

/* Whether the outcome tells which of several operations came first, though none of them races. */
bool operation_tells_order(const struct operation *operation);

/* Puts poison into the result and remembers what the origin holds. */
void operation_guard(struct operation *operation);
/* Whether the program left the buffers alone since; reports it if not. */
void operation_check(struct operation *operation);

/* Makes the origin buffers free for the program. False if there is not enough memory. */
bool operation_copy(struct operation *operation);

/* Hands the operation to MPI. */
int operation_issue(const struct operation *operation, MPI_Win win);

#endif
