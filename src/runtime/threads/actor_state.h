/* Inside of actors.c and of those who make actors (pthreads.c). */
#ifndef REGATTA_RUNTIME_ACTOR_STATE_H
#define REGATTA_RUNTIME_ACTOR_STATE_H

#include "actors.h"
#include "runtime_thread.h"

enum { ACTOR_LOCKS = 32 /* held at a time that are remembered: the outermost ones */ };
enum actor_state { ACTOR_ALIVE, ACTOR_ENDED };

struct actor {
    uint32_t number;
    _Atomic int state;
    uint32_t thread;   /* the number of the thread that ran it last */
    bool kept;         /* somebody still has to ask what it knew: its number is not used again */
    uint64_t ended_as; /* which end it was, of all */
    uint64_t now;      /* the time of what it does, */
    uint64_t acted;    /* and of the last thing it did that others can ask about */
    uint64_t version;  /* changes when it learns something */
    struct knowledge known;        /* of itself: what it has given away */
    struct knowledge sure;         /* the same without the edges of locks */
    struct knowledge passed;       /* what relaxed loads brought along, for the next fence */
    struct knowledge fenced;       /* what was known at the last fence that releases */
    struct past *past;             /* of now; NULL: to be made */
    struct access_log *log;        /* accesses that it has not told yet (memory/access_log.c), */
    struct window_log *window_log; /* and those to window memory (memory/window_logs.c) */
    const struct sync *locks[ACTOR_LOCKS];
    uint32_t lock_count;
};

struct sync {
    _Atomic uint32_t lock;
    struct knowledge known, sure;
    const struct actor *latest; /* it knows what that one knew at `latest_time`, and nothing else;
                                 * NULL: not so */
    uint64_t latest_time, latest_version;
    const void *address;
    unsigned role;
    bool many;         /* the object of many addresses: it never forgets */
    struct sync *next; /* with the same hash */
    uint32_t parties;  /* of a barrier */
    uint64_t arrivals;
    uint32_t writer; /* of a lock for readers and writers: held for writing */
};

struct actor *actor_by_number(uint32_t number);
/* Its number is not given away until somebody has learnt of it (a thread that can be joined). */
void actor_keep(uint32_t number, bool kept);

/* The current actor has given away what it knows, by other means than a sync; has heard what was
 * known then. What it did before is told already. */
void actor_advance(void);
void actor_learn_past(const struct past *past);

void actor_learn_known(const struct knowledge *known);
void actor_learn_known_by_lock(const struct knowledge *known);
void actor_settle(void); /* see actors_settle */

/* Parts of sync_acquire and sync_release, for who holds the object's lock and has told everything:
 * the current actor takes what the object knows; the object forgets, is left what the actor knows,
 * or what it knew once. */
void sync_taken(struct sync *sync);
void sync_emptied(struct sync *sync);
void sync_left(struct sync *sync);
void sync_left_past(struct sync *sync, const struct knowledge *known);

/* The current thread is at its very end: all of its stack goes, with its thread-local variables. */
void actor_thread_ends(void);

/* Told before the current actor gives or learns anything, or is exchanged for another one. */
extern void (*actors_settle)(void);
/* Several actors will be at work from now on; everybody knows everything again. */
extern void (*actors_concur)(void), (*actors_calm)(void);
/* What lies between these addresses on the stack of the current thread is dead: another actor may
 * have it next. */
extern void (*actors_stack_dead)(uint64_t low, uint64_t high);

/* Numbers of the system's threads in the order of their creation. */
uint32_t actor_new_thread_number(void);
void actor_set_thread_number(uint32_t number);
void actor_set_main_thread(void);

/* A barrier of that many parties: two phases, since who leaves early may come again before others
 * have left. NULL: nothing to acquire afterwards. */
void barrier_prepare(const void *address, uint32_t parties);
struct sync *barrier_arrive(const void *address);

void spin_lock(_Atomic uint32_t *lock);
void spin_unlock(_Atomic uint32_t *lock);

#endif
