/* What is known about each MPI routine: calls.def as C data.
 *
 * Needs no MPI header, so the runtime (one build per MPI) and the static analyser share it.
 * routines.c and routine_ids.h are generated from calls.def; its head explains the words. */
#ifndef REGATTA_MPI_ROUTINE_H
#define REGATTA_MPI_ROUTINE_H

#include "routine_ids.h" /* enum routine_id: ROUTINE_Isend, ROUTINE_Win_lock, … */
#include "vocabulary.h"

/* How C passes an argument; Fortran passes all of them by their addresses. */
enum passing { PASSING_pointer, PASSING_int, PASSING_long, PASSING_handle };

struct routine_argument {
    const char *name;
    enum role role;
    enum passing passing;
};

struct routine {
    const char *name; /* "MPI_Isend" */
    enum verb verb;
    enum object object;
    enum order order;
    bool large;         /* a _c routine: counts are MPI_Count, displacements MPI_Aint */
    uint8_t attributes; /* bit 1 << attribute for each that it has */
    uint64_t roles;     /* bit 1 << role for every role that occurs */
    uint8_t narguments, nbuffers;
    struct routine_argument arguments[ROUTINE_MAX_ARGUMENTS];
    struct routine_buffer buffers[ROUTINE_MAX_BUFFERS];
};

/* Indexed by enum routine_id. */
extern const struct routine routines[ROUTINES];

static inline bool routine_has(const struct routine *routine, enum role role)
{
    return routine->roles >> role & 1;
}

static inline bool routine_is(const struct routine *routine, enum attribute attribute)
{
    return routine->attributes >> attribute & 1;
}

/* A receive, blocking or not, of a message that nobody has matched before; not of large counts. */
static inline bool routine_is_plain_receive(const struct routine *routine)
{
    return routine->object == OBJECT_recv && routine_has(routine, ROLE_source) && !routine->large;
}

/* Whether it does nothing that matters to a race but hand out or take back memory. */
static inline bool routine_is_local(const struct routine *routine)
{
    return routine->verb == VERB_local || routine->verb == VERB_agrees ||
           routine->verb == VERB_allocates || routine->verb == VERB_deallocates;
}

/* The routine with this name ("MPI_Isend"), or NULL. Binary search: the table is sorted by name. */
const struct routine *routine_by_name(const char *name);

/* The word of the findings format for what a call does to a buffer that it reads, or writes. */
const char *routine_kind(const struct routine *routine, bool writes);

#endif
