/* Actors of this process, and what they know of each other.
 *
 * An actor is one line of program order: an OpenMP task where tasks exist (one implicit task per
 * thread of a team), else a thread. Its number is the engine's number of a thread (engine.h), too.
 *
 * Glossary
 *   actor      see above. Number 0 is the first thread of the process.
 *   time       of an actor: how often it has given away what it knows. All that it does between two
 *              of these moments has one time, `now`.
 *   knowledge  of every actor the latest time of which one has heard (knowledge.h)
 *   moment     (actor, time): a label of something that an actor did
 *   sync       an object that actors leave what they know in, and take it from: locks, barriers,
 *              flags, the ends of tasks are made of these
 *   held lock  a sync that the actor has acquired as a lock and not yet dropped
 *   watched    a second actor has existed. Before that nothing is done at all: whoever comes later
 *              knows everything that the first one did.
 *   seen       a thread whose creation was seen, or that a producer (OpenMP) has given an actor to.
 *              All other threads count as actor 0 and make no order: what they do is ordered with
 *              everything, as far as this process is concerned. That can miss a race, it invents
 *              none; the records say so.
 *
 * No lock is needed for anything here. An actor is told about by the thread that runs it; syncs
 * have a lock each. Nothing here waits for the program or for MPI. */
#ifndef REGATTA_RUNTIME_ACTORS_H
#define REGATTA_RUNTIME_ACTORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "knowledge.h"

enum { ACTORS = 4096 /* at a time, with those that ended and that somebody does not know of */ };

#define ACTOR_NONE UINT32_MAX

struct moment {
    uint32_t actor;
    uint64_t time;
};

/* A second actor has existed. */
extern atomic_bool actors_watched;

static inline bool actors_are_watched(void)
{
    return atomic_load_explicit(&actors_watched, memory_order_relaxed);
}

/* What this thread executes. 0 for threads that are not seen. About 3 instructions. */
uint32_t actor_current(void);
bool actor_is_seen(void);
/* Of the system's thread: the one that initialised MPI. */
bool actor_is_main_thread(void);
/* A small number of the system's thread, for reports: 0 is the first one. And of the thread that
 * ran an actor last. */
uint32_t actor_thread_number(void);
uint32_t actor_thread_of(uint32_t actor);

/* A new actor that knows what the current one knows now, and is not running yet. ACTOR_NONE if this
 * thread is not seen, or there are too many. */
uint32_t actor_fork(void);
/* This thread executes that actor from now on (a thread begins, or a task switch). ACTOR_NONE: as
 * actor_rest. */
void actor_run(uint32_t actor);
/* This thread executes none any more: it waits for work, unseen. */
void actor_rest(void);
/* It does nothing any more. Its number is used again as soon as whoever forks the next one knows
 * everything of it. */
void actor_end(uint32_t actor);
/* The current actor learns all that another one knew and did. Only for one that does nothing at
 * the moment (it has ended, or waits until we have done). */
void actor_learn(uint32_t actor);

/* ---- syncs ---- */

struct sync;
struct sync *sync_new(void);
void sync_free(struct sync *sync);
/* object := object joined with what the current actor knows; the actor's time goes on. */
void sync_release(struct sync *sync);
/* The current actor learns what the object knows. */
void sync_acquire(struct sync *sync);
/* Knows nothing any more. */
void sync_reset(struct sync *sync);

/* The same for locks: order by luck, which option predict leaves out (actor_surely_knows). */
void lock_acquired(struct sync *sync);
void lock_released(struct sync *sync);
/* Held no more, and nothing is left in it: by readers. */
void lock_dropped(const struct sync *sync);
/* Whether the two sets of locks have one in common; as actor_locks gave them. */
enum { LOCKS_SHOWN = 8 };
struct held_locks {
    const struct sync *locks[LOCKS_SHOWN]; /* the latest ones */
    uint32_t count;
};
struct held_locks actor_locks(void);
bool locks_meet(const struct held_locks *a, const struct held_locks *b);

/* The object that belongs to an address: a mutex, an atomic. Roles tell several at one address
 * apart. Never freed; NULL without memory, which all functions accept. */
enum sync_role {
    SYNC_LOCK,
    SYNC_READERS, /* of a lock for readers and writers */
    SYNC_ATOMIC,
    SYNC_ONCE,
    SYNC_BARRIER,     /* of every second time, */
    SYNC_BARRIER_ODD, /* and of those between */
    SYNC_SEMAPHORE,
    SYNC_ROLES
};
struct sync *sync_at(const void *address, unsigned role);
/* Another object begins or ends at this address: in all its roles. */
void sync_renew(const void *address);

/* ---- who knows what ---- */

/* Now, to be compared later. */
struct moment actor_moment(void);
/* Whether it happened before what the current actor does now. */
bool actor_knows(struct moment moment);
/* The same by a clock without the edges of locks. Only with option predict. */
bool actor_surely_knows(struct moment moment);
/* What the current actor knows now, itself included: for questions about the past. Shared and
 * counted: give it back by past_drop. NULL without memory, and while nobody is watched. */
struct past {
    uint32_t references;
    uint32_t actor; /* whose it is, */
    uint64_t time;  /* and its time then */
    struct knowledge known;
};
struct past *actor_past(void);
struct past *past_keep(struct past *past);
void past_drop(struct past *past);
/* Whether that moment happened before the past was taken. NULL is before everything else. */
bool past_knows(const struct past *past, struct moment moment);

/* Whether several actors are at work, or somebody did something that the one who is left does not
 * know of. */
extern atomic_bool actors_concurrent;
static inline bool actors_are_concurrent(void)
{
    return atomic_load_explicit(&actors_concurrent, memory_order_relaxed);
}

/* Whether all who can still do something know of it. */
bool actors_all_know(struct moment moment);
/* How many actors run or will run. */
uint32_t actors_alive(void);

#endif
