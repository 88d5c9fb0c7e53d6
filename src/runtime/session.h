/* The state of the runtime in this process, and its life: it is active from MPI_Init to
 * MPI_Finalize if `regatta run` (or `regatta env`) named a directory for records, and lets all
 * calls through untouched otherwise. A forked child is never active. */
#ifndef REGATTA_RUNTIME_SESSION_H
#define REGATTA_RUNTIME_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "platform/processor.h"
#include "routine_ids.h"
#include "runtime_thread.h"

struct engine;
struct inuse;
struct layout_cache;

/* Read and written with session_lock held, which call_before and call_after take. It is never held
 * while anybody waits for another process: not while the program's own call is with MPI, and where
 * the runtime itself has to wait (for a letter: clocks_wait; for a board across nodes: boards.c;
 * for the others in MPI_Finalize) it is given away, session_pause to session_resume. Whoever calls
 * one of these must count on other threads having gone through whole calls meanwhile. The lock of a
 * node's boards (node.c) is no such wait: who has it neither calls MPI nor waits for anything. */
struct session {
    int rank, ranks;              /* in MPI_COMM_WORLD */
    struct inuse *inuse;          /* bytes that MPI may still access */
    struct layout_cache *layouts; /* datatypes that were seen */
    struct engine *engine;        /* races between ranks; NULL: they are not looked for */
    bool implicit_world;          /* world-wide collectives need no clocks (engine.h) */
};
extern struct session session;

extern atomic_bool session_active;

/* Whether this thread really is in the MPI call that it has entered: a callback may have left the
 * call by longjmp or an exception. While the call is going on, the return address stands on the
 * stack; afterwards other frames have taken the place. */
static inline bool session_mpi_is_open(void)
{
    return runtime_here.mpi_frame &&
           *platform_return_slot(runtime_here.mpi_frame) == runtime_here.mpi_caller;
}

static inline bool session_is_active(void)
{
    return atomic_load_explicit(&session_active, memory_order_acquire);
}

/* The lock is biased towards the thread that initialised MPI, because in nearly all programs only
 * that one calls MPI: until another thread comes it enters and leaves with two stores and a load.
 * The first other thread revokes the bias for good: it raises `shared`, makes sure by membarrier(2)
 * that the owner sees it or is seen inside, and waits until the owner is out. From then on
 * everybody uses the mutex. */
struct session_bias {
    pthread_mutex_t mutex;
    atomic_bool shared, owner_inside;
};
extern struct session_bias session_bias;

/* The session is active, has one thread, and no compiled-in checks: calls that do next to nothing
 * may take the quick path (quick.h). */
extern atomic_bool session_is_quick;

void session_lock_shared(void);

static inline void session_lock(void)
{
    runtime_here.has_lock = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (runtime_here.is_owner) {
        atomic_store_explicit(&session_bias.owner_inside, true, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst); /* the other side's membarrier does the rest */
        if (!atomic_load_explicit(&session_bias.shared, memory_order_relaxed))
            return;
        atomic_store_explicit(&session_bias.owner_inside, false, memory_order_release);
    }
    session_lock_shared();
}

static inline void session_unlock(void)
{
    if (runtime_here.is_owner &&
        atomic_load_explicit(&session_bias.owner_inside, memory_order_relaxed))
        atomic_store_explicit(&session_bias.owner_inside, false, memory_order_release);
    else
        pthread_mutex_unlock(&session_bias.mutex);
    atomic_signal_fence(memory_order_seq_cst);
    runtime_here.has_lock = false;
}

/* Whether nobody but the thread that initialised MPI, which this is, can do anything. */
bool session_is_alone_again(void);

/* Around a wait for another process: the lock, which this thread holds, is free in between. */
void session_pause(void);
void session_resume(void);

/* For calls while the session is not active: makes sure that MPI's entry points are known, and
 * says whether this routine is the one that can start the session. */
bool session_admits(enum routine_id routine);
/* Whether MPI was finalised here: calls are errors now, and can still be reported. */
bool session_is_finalized(void);

/* MPI has been initialised: start. */
void session_start(void);
/* The process leaves MPI; `state` goes into the records: "finalized", "aborted", "exited". */
void session_end(const char *state);

/* Whether races between ranks can be looked for at all, and the beginning of it: with the first
 * window, because before that no order matters. `all_ranks_together`: every rank starts in the same
 * collective call. */
extern bool session_races;
static inline bool session_can_look_for_races(void)
{
    return session_races;
}
void session_look_for_races(bool all_ranks_together);
/* Whether several threads of some rank may call MPI (MPI_THREAD_SERIALIZED and _MULTIPLE): all
 * agree on it. */
extern bool session_several_call;
/* Whether ranks tell each other about new windows, which is collective: decided once, by all. A
 * rank that gives up goes on doing it, or the others would wait for it. */
extern bool session_exchanges;
/* This rank cannot follow any more what is ordered: it stops reporting races between ranks, and
 * tells all others to. Also from within the engine's callbacks. */
void session_give_up_races(const char *why);
/* Gives back what the engine keeps, once races are given up; not from within its callbacks. */
void session_close_engine(void);
/* At the beginning of each event: has something run out? */
void session_mind_limits(void);

/* A thread whose creator was not seen calls MPI, or accesses what is watched. The library's own
 * threads, which do neither, are no limit: they come here at most to free memory. Without the
 * lock. */
void session_tell_unseen(void);

/* A small number for this thread of the system, for reports; 0 is the first one. */
int session_thread(void);

#endif
