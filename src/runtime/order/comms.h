/* Communicators as the runtime needs them: a name that all members agree on, and who the members
 * are.
 *
 * Names are computed without communication: constructors are collective, so all members of a parent
 * see the same sequence of them; a name is a hash of the parent's name, the number of the
 * constructor call on that parent and the first member of the new communicator. Needs the session's
 * lock. */
#ifndef REGATTA_RUNTIME_COMMS_H
#define REGATTA_RUNTIME_COMMS_H

#include "watched_call.h"
#include "engine/table.h"

struct comm {
    MPI_Comm handle;
    uint64_t id;
    bool inter;
    bool is_world;             /* has all ranks of MPI_COMM_WORLD as members */
    bool foreign;              /* has members outside MPI_COMM_WORLD (spawn, connect): no clocks */
    int rank, size;            /* in the local group */
    int remote_size;           /* of an intercommunicator */
    uint32_t *members;         /* ranks in MPI_COMM_WORLD, local group */
    uint32_t *remote;          /* the other group; same as members in an intracommunicator */
    uint64_t children;         /* constructor calls so far */
    uint64_t collectives;      /* collective operations started so far */
    uint64_t receives;         /* receives posted so far: gives them an order */
    struct receive *wildcards; /* posted and not complete, oldest first (messages.h) */
    struct channel *channels;  /* where something is under way, or was not long ago (channel.h) */
    struct settled *settled;   /* the counts of the others (settled.h) */
    bool has_board;            /* a wildcard was posted: there is a board for it */
    int users;                 /* operations under way that point here */
    bool retired;              /* freed by the program; goes when the last user does */
    uint64_t *told;            /* where the number of collectives is told to the outside (ends.h) */
    UT_hash_handle hh, hh_id;
};

/* NULL if it is not known (its constructor was not seen). */
struct comm *comm_find(MPI_Comm handle);
struct comm *comm_by_id(uint64_t id);
extern struct comm *comm_recent; /* the last one found; may be NULL */

void comms_start(void); /* MPI_COMM_WORLD, MPI_COMM_SELF */
/* Whether it has members outside this MPI_COMM_WORLD; asks MPI, needs no lock. All members find the
 * same. */
bool comm_is_foreign(MPI_Comm handle);

/* The name that the communicator constructed by this call is going to have, except for the part
 * that its first member adds. Before the call, on all members of the parent. */
uint64_t comm_child_name(struct call *call);
/* After the call: the new communicator, MPI_COMM_NULL on those who are not members. */
void comm_created(MPI_Comm handle, uint64_t child_name);
void comm_freed(MPI_Comm handle);
static inline struct comm *comm_use(struct comm *comm)
{
    comm->users++;
    return comm;
}
void comm_unuse(struct comm *comm);

/* One more collective operation begins on it. */
static inline void comm_count_collective(struct comm *comm)
{
    *comm->told = ++comm->collectives;
}

/* Ranks of a group in MPI_COMM_WORLD, allocated; UINT32_MAX for those who are not in it. NULL
 * without memory. */
uint32_t *world_ranks(MPI_Group group, int *n);

/* The same members under another name, with counters of its own. */
struct comm *comm_clone(const struct comm *comm, uint64_t id);
void comm_destroy_clone(struct comm *clone);

uint64_t name_mix(uint64_t a, uint64_t b);

#endif
