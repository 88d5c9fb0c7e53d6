/* A function reduced to what matters to races, in program order within each block.
 *
 * event     an instruction that touches memory or makes, completes or orders operations
 * buffer    bytes that an event touches: at once (access) or from then on (operation)
 * slot      the variable that holds a request or a window handle; it identifies the handle */
#ifndef REGATTA_ANALYZE_EVENTS_H
#define REGATTA_ANALYZE_EVENTS_H

#include "bridge.h"
#include "effects.h"
#include "gaps.h"
#include "grow.h"
#include "layout.h"
#include "members.h"
#include "points.h"
#include "mpi/routine.h"
#include "value_map.h"

#include <llvm-c/Target.h>

enum event_kind {
    EVENT_access,  /* load, store, libc copy, blocking MPI call: buffers touched at once */
    EVENT_start,   /* buffers in use until its request completes */
    EVENT_prepare, /* persistent: … from each activation to its completion */
    EVENT_activate,
    EVENT_complete, /* one request or an array of them */
    EVENT_test,     /* the same if its value is true */
    EVENT_release,  /* MPI_Request_free */
    EVENT_issue,    /* RMA: buffers in use until local completion */
    EVENT_sync,     /* RMA synchronisation on a window */
    EVENT_window,   /* a window is made */
    EVENT_call,     /* a function whose inside is not known here */
};

/* Which ranks touch the buffer. */
enum where { EVERYWHERE, AT_ROOT, NOT_AT_ROOT, NOT_AT_FIRST };

struct buffer {
    LLVMValueRef address;
    expression place;   /* the address as an expression; NULL if it is none */
    LLVMValueRef base;  /* what the address starts from, as far as that can be followed */
    LLVMValueRef count; /* of elements; NULL: one */
    struct layout element;
    enum blocks blocks;
    enum where where;
    bool reads, writes;
    bool whole;       /* the object as such, given back: nothing is left of it */
    bool speculative; /* a load that an optimiser may have put in front of its condition */
    bool scattered; /* somewhere in the object from the address on: counts and displacements by rank
                     */
    unsigned nindices;
    struct member_index indices[MEMBER_INDICES]; /* of arrays that the address is in */
};

enum { EVENT_BUFFERS = 4 };

struct event {
    enum event_kind kind;
    LLVMValueRef instruction;
    const struct routine *routine; /* NULL: not an MPI call */
    unsigned block;
    unsigned nbuffers;
    struct buffer buffers[EVENT_BUFFERS];
    LLVMValueRef root, comm;          /* of a rooted collective */
    LLVMValueRef requests, nrequests; /* address of the first slot; NULL count: one */
    LLVMValueRef window, target;      /* RMA: handle; rank, or NULL: all. I/O: window is the file */
};

struct function {
    LLVMValueRef value;
    struct bridge *bridge;
    enum flavour flavour;
    unsigned nblocks;
    LLVMBasicBlockRef *blocks; /* in reverse post-order */
    LIST(struct event) events;
    size_t *first_event;  /* by block; [nblocks] is the end */
    LIST(size_t) writers; /* numbers of the events that may change memory */
    void *block_numbers;
    struct points *points;
    const struct effects *effects;
    double deadline; /* seconds of CPU time; after it nothing more is found */
    bool late;
    unsigned gaps[GAP_COUNT];               /* how often it was given up here */
    bool asks_solver;                       /* solve.c */
    uint64_t solver_work;                   /* solve.c: that it has cost so far */
    struct representative *representatives; /* versions.c */
    struct load_version *versions;          /* versions.c */
    struct value_map numbers;               /* alias.c */
    struct block_conditions *conditions;    /* conditions.c, by block */
    bool *ends;                             /* conditions.c, by block */
    struct subject_table *subjects;         /* subjects.c */
    struct possibility *possibilities;      /* conditions.c */
    struct pair_of_bases *pairs;            /* alias.c */
    struct value_map copied;                /* alias.c */
    struct value_map private_objects;       /* private.c */
    struct steadiness *steadiness;          /* versions.c */
};

struct function *function_read(LLVMValueRef value, enum flavour flavour, struct points *points,
                               const struct effects *effects);
void function_free(struct function *function);
/* Whether the time that one function may take is over. */
bool function_is_late(struct function *function);
/* Number of a block in function->blocks; nblocks if it cannot be reached. */
unsigned function_block(const struct function *function, LLVMBasicBlockRef block);

/* The argument with this role, or NULL. */
LLVMValueRef event_argument(const struct event *event, enum role role);

#endif
