/* One transfer: what is known of it, its buffer, its end. For the files behind transfers.h. */
#ifndef REGATTA_STRESS_TRANSFER_H
#define REGATTA_STRESS_TRANSFER_H

#include "copies.h"
#include "held_call.h"
#include "sites.h"

struct transfer {
    MPI_Request handle;
    const struct routine *routine;
    struct site *site;
    struct buffer buffer; /* the program's */
    bool is_receive, delivered;
    bool persistent, active; /* active: from start to completion */
    bool asked_for;          /* by a call that is with MPI now */
    bool concluded; /* the buffer has been looked at or filled; what is left is to forget it */
    int refusals;
    uint64_t hash; /* send: of the buffer when it was handed over */
    /* receive: what was in the buffer, and what arrives; packed, `size` bytes each */
    char *before, *arriving;
    int size;
    struct aside *aside; /* collective: its buffers */
    uint64_t low, high;  /* where MPI writes until it is complete; low == high: nowhere */
    bool watched;        /* handed on as it is; only that it is under way matters */
    MPI_Datatype held;   /* a duplicate of the buffer's datatype: the program may free its own */
    bool has_held;
    struct transfer *next;
};

/* The lists need the layer's lock, which these functions take. A transfer itself belongs to the
 * call that claimed it. */
struct transfers_under_way {
    struct transfer *transfers; /* by request */
    struct transfer *orphans;   /* their requests were freed */
};
extern struct transfers_under_way under_way;

void transfer_link(struct transfer **list, struct transfer *transfer);
void transfer_unlink(struct transfer **list, struct transfer *transfer);
/* The one with this request that no call asks for yet, or NULL. */
struct transfer *transfer_claim(MPI_Request handle);
void transfer_destroy(struct transfer *transfer);

/* Keeps what is in the buffer of a receive and poisons it; puts it back. */
bool transfer_hide(struct transfer *transfer);
void transfer_restore(struct transfer *transfer);
/* Remembers what a send hands over; false if that is not possible. */
bool transfer_remember(struct transfer *transfer);

/* What was received goes to the program. */
void transfer_deliver(struct transfer *transfer, const MPI_Status *status);
/* It is complete: the buffer is looked at or filled; finished: and the program has heard of it. */
void transfer_conclude(struct transfer *transfer, const MPI_Status *status);
void transfer_finish(struct transfer *transfer, const MPI_Status *status);
/* All others that share the request. */
void transfers_conclude_alike(MPI_Request handle);

#endif
