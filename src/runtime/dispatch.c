/* The way of every call, from its wrapper to MPI and back. What it means stands in verbs.c. */
#include "watched_call.h"

#include "access_log.h"
#include "actors.h"
#include "crossings.h"
#include "edges.h"
#include "ends.h"
#include "engine/inuse.h"
#include "interpose/pmpi.h"
#include "operations.h"
#include "pending.h"
#include "recent.h"
#include "releases.h"
#include "repeats.h"
#include "rma.h"
#include "session.h"
#include "thread_rules.h"
#include "verbs.h"
#include "reach.h"
#include "window_accesses.h"
#include "window_atomics.h"

/* The commonest calls, which must cost next to nothing: a blocking call with one buffer (or none)
 * has nothing to do before it if no buffer is in use, nor afterwards. No lock: a buffer that
 * another thread puts into use at this very moment is concurrent with the call either way. */
static inline bool has_nothing_to_do(const struct call *call)
{
    return call->routine->verb == VERB_blocking && call->routine->nbuffers <= 1 &&
           !actors_are_concurrent() && !session_can_look_for_races() && pending_count == 0 &&
           inuse_empty(session.inuse);
}

/* From here to call_after the thread is in MPI. */
static inline void enter(struct call *call)
{
    watched(call)->outer_frame = session_mpi_is_open() ? runtime_here.mpi_frame : NULL;
    watched(call)->outer_caller = runtime_here.mpi_caller;
    runtime_here.mpi_frame = call->frame;
    runtime_here.mpi_caller = call->caller;
    ends_enter(call);
}

static inline void leave(const struct call *call)
{
    runtime_here.mpi_frame = watched(call)->outer_frame;
    runtime_here.mpi_caller = watched(call)->outer_caller;
    ends_leave();
}

/* Calls that synchronise memory, on whatever window (MPI-4.0 §12.7): what a process has stored to
 * shared windows becomes visible, and what others have. */
static bool synchronises_memory(const struct routine *routine)
{
    switch (routine->verb) {
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
    case VERB_syncs:
    case VERB_tests:
        return routine_has(routine, ROLE_win);
    case VERB_creates:
        return routine_has(routine, ROLE_new_win);
    default:
        return routine_has(routine, ROLE_freed_win);
    }
}

/* For loads and stores of shared windows such a call is what a fence of the language is, and
 * programs use it as one: a relaxed flag between two MPI_Win_sync. */
static void memory_synchronised(const struct routine *routine)
{
    if (reach_has_shared && session.engine && synchronises_memory(routine))
        window_fence(ATOMIC_ACQUIRES | ATOMIC_RELEASES);
}

static void prepare(struct call *call)
{
    call_handler *before = meaning_of(call)->before;
    watched(call)->operation = NULL;
    bool races = session_can_look_for_races();
    if (!runtime_here.is_owner && !actor_is_seen())
        session_tell_unseen();
    if (races && session.engine && call->routine->verb == VERB_issues)
        rma_ensure_granted(call);
    session_lock();
    session_mind_limits();
    access_log_tell();
    window_accesses_settle();
    memory_synchronised(call->routine);
    if (call->routine->verb != VERB_issues)
        releases_outdate();
    if (session.engine)
        repeat_before(call);
    if (races) {
        edges_wake();
        recent_call(call);
    }
    if (before)
        before(call);
    ends_refine(call);
    crossing_return();
    session_unlock();
}

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, the newest one first. Libraries
 * complete their requests and free their windows then, so what we do before MPI_Finalize has to
 * wait until all of them have done so: the delete function of an attribute that is older than any
 * of the program's. */
static struct call *finalising;

static int others_are_done(MPI_Comm self, int key, void *value, void *extra)
{
    (void)self, (void)key, (void)value, (void)extra;
    if (finalising && session_is_active())
        prepare(finalising);
    finalising = NULL;
    return MPI_SUCCESS;
}

static int copy_nothing(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *copies)
{
    (void)comm, (void)key, (void)extra, (void)value, (void)copy;
    *copies = false;
    return MPI_SUCCESS;
}

static bool is_told_when_others_are_done;

static void ask_to_be_told(void)
{
    int key;
    is_told_when_others_are_done =
        pmpi.Comm_create_keyval(copy_nothing, others_are_done, &key, NULL) == MPI_SUCCESS &&
        pmpi.Comm_set_attr(handles.comm_self, key, NULL) == MPI_SUCCESS &&
        pmpi.Comm_free_keyval(&key) == MPI_SUCCESS;
}

void call_before(struct call *call)
{
    enter(call);
    watched(call)->encounter = NULL;
    if (!session_is_active())
        return; /* MPI_Init: the session starts when it is over */
    if (thread_rules_apply())
        thread_rules_before(call);
    if (has_nothing_to_do(call))
        return;
    if (call->routine->verb == VERB_finalises && is_told_when_others_are_done) {
        finalising = call;
        watched(call)->collective = NULL; /* another delete function may fail before ours comes */
    } else {
        prepare(call);
    }
}

/* The first window is there: from now on order matters. On a window that all ranks share they begin
 * together. */
static void races_begin(struct call *call, int result)
{
    int size = 0;
    if (result != MPI_SUCCESS)
        return;
    if (!session.engine && routine_has(call->routine, ROLE_new_win)) {
        pmpi.Comm_size(call->comm, &size);
        session_lock();
        session_look_for_races(size == session.ranks);
        session_unlock();
    }
    edges_exchange(call);
    if (!session_can_look_for_races())
        rma_forget_layout(call);
}

/* The commonest calls have nothing to do afterwards either. */
static inline bool is_over(const struct call *call, int result)
{
    if (session_can_look_for_races() || actors_are_concurrent())
        return false;
    if (call->routine->verb == VERB_blocking)
        return !is_pack(call);
    return call->routine->verb == VERB_issues && result == MPI_SUCCESS &&
           !routine_has(call->routine, ROLE_new_request);
}

void call_after(struct call *call, int result)
{
    const struct verb_meaning *meaning = meaning_of(call);
    leave(call);
    if (session_is_active() && watched(call)->encounter)
        thread_rules_after(call, result);
    if (operations_orphaned && meaning->tells_of_others && meaning->tells_of_others(call)) {
        session_lock();
        operations_end_orphans();
        session_unlock();
    }
    if (is_over(call, result))
        return;
    if (call->routine->verb == VERB_initialises) {
        if (result == MPI_SUCCESS) {
            ask_to_be_told();
            session_start();
            thread_rules_start(call);
        }
        return;
    }
    if (!session_is_active())
        return;
    if (call->routine->verb == VERB_creates && session_exchanges)
        races_begin(call, result);
    watched(call)->result = result;
    call_handler *over = result == MPI_SUCCESS ? meaning->succeeded : meaning->failed;
    session_lock();
    window_accesses_settle();
    memory_synchronised(call->routine);
    if (session_can_look_for_races() &&
        call->routine->verb != VERB_finalises) /* MPI is gone, nothing can be asked any more */
        edges_wake();
    if (over)
        over(call);
    crossing_return();
    if (session.engine && result == MPI_SUCCESS)
        repeat_after(call);
    session_unlock();
}

bool call_wants_status(const struct call *call)
{
    const struct verb_meaning *meaning = meaning_of(call);
    return (session_can_look_for_races() && meaning->wants_status && meaning->wants_status(call)) ||
           thread_rules_want_status(call);
}
