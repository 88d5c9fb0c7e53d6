/* Calls that met at an object: MPI as a whole, a communicator, a request. */
#ifndef REGATTA_RUNTIME_ENCOUNTERS_H
#define REGATTA_RUNTIME_ENCOUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "actors.h"
#include "interpose/finding_record.h"

struct routine;
struct stack;

/* One call. Everything but `end` and `over` is set when it begins. */
struct encounter {
    unsigned references; /* with the rules' lock */
    uint32_t actor, thread;
    const struct routine *routine;
    const struct stack *stack;
    const char *construct; /* of OpenMP, or NULL */
    struct held_locks locks;
    struct moment end;
    bool over;
    bool waits; /* of a request: MPI_Wait and its kin */
};

/* The latest of each actor and place; older ones of the same are ordered before. */
struct encounters {
    struct encounter **list;
    unsigned count, room;
};

/* All functions need the rules' lock but the first, which makes one for the call of this thread. */
struct encounter *encounter_new(const struct routine *routine, const struct stack *stack);
struct encounter *encounter_keep(struct encounter *encounter);
void encounter_drop(struct encounter *encounter);

void encounters_add(struct encounters *encounters, struct encounter *encounter);
void encounters_clear(struct encounters *encounters);

/* How an earlier call lies to what this thread does now. */
enum relation {
    ORDERED,
    ORDERED_BY_LUCK, /* by locks alone, and no lock was held at both; with option predict */
    UNORDERED,       /* nothing orders them, though they did not overlap */
    BETWEEN,         /* they are ordered, in the wrong way */
    OVERLAPPING,
};
enum relation encounter_relation(const struct encounter *earlier);

/* ---- what has to be reported ---- */

/* The rules fill it in with the lock held; it is reported without. */
enum { CHARGES = 16 };
struct hearing {
    struct encounter *now;
    struct charge {
        const char *rule;
        enum finding_case which;
        enum relation relation;
        const char *object; /* "communicator", "window", "file", or NULL */
        struct encounter *first, *second;
    } charges[CHARGES];
    unsigned count;
};

/* `earlier` against the call of this hearing, if nothing orders them. */
void hearing_compare(struct hearing *hearing, struct encounter *earlier, const char *rule,
                     enum finding_case which, const char *object);
void hearing_compare_all(struct hearing *hearing, const struct encounters *encounters,
                         const char *rule, enum finding_case which, const char *object);
void hearing_charge(struct hearing *hearing, const struct charge *charge);
/* Without the rules' lock; takes the session's. */
void hearing_report(struct hearing *hearing);

/* A finding that needs no comparison. `first` may be NULL. */
void thread_finding(const char *rule, enum finding_case which, const struct encounter *first,
                    const struct encounter *second);

extern _Atomic uint32_t rules_lock;

#endif
