/* Operations under way: everything that the program started and MPI may still be working on, with
 * the buffers it keeps in use. Found by request, or through its window (window_operations.h).
 *
 * All functions need the session's lock. */
#ifndef REGATTA_RUNTIME_OPERATIONS_H
#define REGATTA_RUNTIME_OPERATIONS_H

#include "actors.h"
#include "ends/page.h"
#include "interpose/buffers.h"
#include "watched_call.h"
#include "partitioned.h"

struct watched_target;
struct watched_window;

/* A buffer of an operation. Owner of its entries in the map of buffers in use. */
struct operation_buffer {
    struct operation *operation;
    enum buffer_access access;
    struct inuse_buffer *inuse; /* NULL while nothing is in use */
    uint64_t start, bytes;      /* first address, number of bytes */
    uint64_t window_buffer;     /* the engine's number, if it is window memory */
    struct section only;        /* the bytes, if they are one section; count 0 otherwise */
    struct past *past;          /* what was known when its use began, */
    struct moment began;        /* and by whom and when */
    /* Persistent operations keep their sections for the next activation. */
    struct section *sections;
    size_t nsections;
};

enum operation_state {
    OPERATION_INACTIVE, /* persistent, not started */
    OPERATION_ACTIVE,
    OPERATION_COMPLETE, /* seen complete by Request_get_status, request not yet given back */
};

struct operation_place {
    const struct routine *at; /* the call there */
    const struct stack *stack;
};

struct operation {
    const struct routine *routine; /* the call that made it */
    const struct stack *stack;     /* where: the start, for persistent operations the activation */
    const struct routine *at; /* the call that stands there: MPI_Start for persistent operations */
    const struct stack *made; /* where `routine` was called */
    int thread;
    enum operation_state state;
    bool persistent;
    int nbuffers;
    struct operation_buffer buffers[ROUTINE_MAX_BUFFERS];

    /* By request. Several operations may share one handle: both MPIs give all sends that were done
     * at once the same request. */
    bool has_request;
    uint64_t number; /* of those that had a request: no other one ever has it */
    MPI_Request request;
    const void *request_variable;
    struct operation *next_with_request;

    bool mistakable; /* who completed it may have meant another one (shared_handles.h) */
    bool orphan;     /* its request was freed while it was active */

    /* By window, RMA only. */
    struct watched_window *window;
    struct watched_target *target;
    struct operation *window_previous, *window_next;

    /* For the race engine (edges.h). */
    struct watched_call *prepared; /* arguments of a persistent operation, or of MPI_Comm_idup */
    struct receive receive;
    struct synchronous_send send;
    uint64_t sent;                /* its message's number on its channel, from 1 on; 0: none */
    struct collective_plan *plan; /* of a persistent collective */
    struct collective *collective;
    uint64_t rma_request;
    bool cancelled; /* MPI_Cancel was called on it */

    struct page_item about; /* what whoever waits for it waits for (ends.h) */

    /* By file: split collective I/O. */
    bool has_file;
    MPI_File file;

    /* Partitioned communication: the arguments, and one buffer in use per partition. */
    struct call *partitioned;
    struct partitioned end; /* for the race engine */
    struct operation_buffer *partitions;
    struct operation_place *readied; /* of a send: by partition, where it was made ready */

    /* All operations, for the end. */
    struct operation *previous, *next;
};

/* The operation that a nonblocking call starts: its buffers are checked against those in use, and
 * are in use from now on. */
struct operation *operation_start(struct call *call);
/* The operation that a persistent request stands for, not active yet. */
struct operation *operation_prepare(struct call *call);
/* The same for an RMA operation, which also belongs to its window. Loops of small operations would
 * pile up: one that continues the bytes of the operation before it (same place, same target) is
 * folded into that, and the result is NULL. */
struct operation *operation_issue(struct call *call);
/* An operation that was put off (pending.h), with the place where it was issued. */
void operation_issue_now(struct call *call, const struct stack *stack, int thread);
/* Takes it out of all tables; its buffers are free. */
void operation_destroy(struct operation *operation);

/* The call that completes it begins, or has just ended and has told nothing yet: for other ranks
 * its buffers are free. Whoever learns by that call how far this process is, as from a fence, knows
 * that too. */
void operation_end_buffers(struct operation *operation);

void operation_set_request(struct operation *operation, MPI_Request request, const void *variable);

/* The request of an active operation was freed: its buffers stay in use until this process hears of
 * others again. Whoever completed the matching call may have told it then, so that the buffers
 * count as free: that may miss a race. */
extern unsigned operations_orphaned;
void operation_orphan(struct operation *operation);
void operations_end_orphans(void);

/* A persistent operation starts again / is over until it is started again. */
void operation_activate(struct operation *operation, struct call *call);
void operation_deactivate(struct operation *operation);

/* The partitions of an active partitioned operation that MPI may access (send: from Pready;
 * receive: until Parrived). */
void operation_use_partition(struct operation *operation, struct call *call, int partition);
void operation_free_partition(struct operation *operation, int partition);

/* The buffer's memory was given back, and that is known: what others do there is no news any more.
 */
void operation_buffer_lost(struct operation_buffer *buffer);

/* Where the use of this buffer began. */
struct operation_place operation_buffer_place(const struct operation_buffer *buffer);

/* The operation behind a request. If several share the handle, the one that was stored in
 * `variable`; NULL if that does not tell, or if there is none (*ambiguous says which). */
struct operation *operation_by_request(MPI_Request request, const void *variable, bool *ambiguous);
/* All that have it, by next_with_request. */
struct operation *operations_by_request(MPI_Request request);

/* The request was completed by a wait or a successful test; `status` is NULL if it is not known.
 * Where it is not known which of several operations that was, all of them count as complete: better
 * miss a race than invent one. */
void operation_request_completed(MPI_Request request, const void *variable,
                                 const MPI_Status *status);

struct operation *operation_by_file(MPI_File file);

/* Every operation, oldest first; for the leak check at the end. */
struct operation *operations_first(void);
bool operations_any_request(void);

/* A blocking call: checks its buffers against those in use and against each other. */
void operation_check_blocking(struct call *call);
/* The same, with several threads at work: what it reads is compared with what others do at its
 * entry, what it writes when it is over. */
void operation_blocking_used(const struct call *call, enum buffer_access access);
/* After it: what it has written, for the race engine. The data came with the order that the call
 * made, so these stores are told behind the edges. */
void operation_blocking_written(const struct call *call);

#endif
