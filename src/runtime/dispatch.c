/* What each verb of calls.def means before and after the call. */
#include "watched_call.h"

#include <stdlib.h>
#include <string.h>

#include "edges.h"
#include "epoch_rules.h"
#include "engine/inuse.h"
#include "interpose/datatype_layout.h"
#include "operations.h"
#include "interpose/regatta_options.h"
#include "pending.h"
#include "interpose/pmpi.h"
#include "releases.h"
#include "repeats.h"
#include "requests.h"
#include "rma.h"
#include "session.h"
#include "transport.h"
#include "usage.h"
#include "window_accesses.h"
#include "watched_window.h"
#include "window_operations.h"

static inline bool is_pack(const struct call *call)
{
    return call->routine->object == OBJECT_pack || call->routine->object == OBJECT_unpack;
}

/* ---- windows ---- */

static void window_created(struct call *call)
{
    struct window *window = window_create(call);
    if (!window)
        return;
    watched_window(window)->thread = session_thread();
    window_add(window);
}

static void window_freeing(struct call *call)
{
    struct window *window = window_find(call_win(call, call->freed_win));
    if (!window)
        return;
    epoch_check_free(call, window);
    window_complete_all(window);
    window_quick_end(window);
    window_remove(window);
    window_destroy(window);
}

static void window_synchronised(struct call *call)
{
    struct window *window = window_find(call->win);
    if (!window)
        return;
    window_completed(window, call);
    if (call->routine->verb == VERB_opens)
        window_epoch_opened(window, call);
    else if (call->routine->verb == VERB_closes ||
             (call->routine->verb == VERB_tests && call_int_at(call->flag, 0)))
        window_epoch_closed(window, call);
    window_quick_update(window);
}

/* ---- calls ---- */

static void before(struct call *call)
{
    switch (call->routine->verb) {
    case VERB_blocking:
        /* Where packed bytes lie is known afterwards. */
        if (!is_pack(call))
            operation_check_blocking(call);
        break;
    case VERB_starts:
    case VERB_begins:
        watched(call)->operation = operation_start(call);
        break;
    case VERB_prepares:
        watched(call)->operation = operation_prepare(call);
        break;
    case VERB_issues:
        epoch_check_operation(call);
        watched(call)->operation = operation_issue(call);
        break;
    case VERB_activates:
        requests_activate(call);
        break;
    case VERB_readies:
        requests_ready(call);
        break;
    case VERB_completes:
    case VERB_tests:
        if (call->routine->object == OBJECT_exposure)
            epoch_check_sync(call);
        else
            requests_save(call);
        break;
    case VERB_cancels:
        requests_cancelled(call);
        break;
    case VERB_releases:
        requests_release(call);
        break;
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
        epoch_check_sync(call);
        window_completing(call);
        break;
    case VERB_frees:
        if (call->routine->object == OBJECT_window) {
            window_freeing(call);
        } else if (call->routine->object == OBJECT_type) {
            pending_settle();
            layout_drop(session.layouts, call_type(call, call->freed_type));
        }
        break;
    case VERB_finalises:
        if (options.leaks) {
            requests_check_leaks();
            windows_check_leaks();
        }
        break;
    case VERB_aborts:
        session_end("aborted");
        break;
    default:
        break;
    }
}

/* The call did what it should. */
static void succeeded(struct call *call)
{
    switch (call->routine->verb) {
    case VERB_blocking:
        if (is_pack(call))
            operation_check_blocking(call);
        break;
    case VERB_starts:
    case VERB_prepares:
        if (watched(call)->operation)
            requests_bind(call);
        break;
    case VERB_begins:
        if (watched(call)->operation) {
            watched(call)->operation->has_file = true;
            watched(call)->operation->file = call->file;
        }
        break;
    case VERB_finishes: {
        struct operation *operation = operation_by_file(call->file);
        if (operation) {
            operation_end_buffers(operation);
            operation_destroy(operation);
        }
        break;
    }
    case VERB_issues:
        if (watched(call)->operation && routine_has(call->routine, ROLE_new_request))
            requests_bind(call);
        break;
    case VERB_peeks:
        requests_peeked(call);
        break;
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
        window_synchronised(call);
        break;
    case VERB_creates:
        if (routine_has(call->routine, ROLE_new_win))
            window_created(call);
        break;
    default:
        break;
    }
}

static void failed(struct call *call)
{
    switch (call->routine->verb) {
    case VERB_starts:
    case VERB_prepares:
    case VERB_begins:
    case VERB_issues:
        if (watched(call)->operation)
            operation_destroy(watched(call)->operation);
        else if (call->routine->verb == VERB_issues)
            pending_retract(call);
        break;
    default:
        break;
    }
}

/* The commonest calls, which must cost next to nothing: a blocking call with one buffer (or none)
 * has nothing to do before it if no buffer is in use, nor afterwards. No lock: a buffer that
 * another thread puts into use at this very moment is concurrent with the call either way. */
static inline bool has_nothing_to_do(const struct call *call)
{
    return call->routine->verb == VERB_blocking && call->routine->nbuffers <= 1 &&
           !session_can_look_for_races() && pending_count == 0 && inuse_empty(session.inuse);
}

/* From here to call_after the thread is in MPI. */
static inline void enter(struct call *call)
{
    watched(call)->outer_frame = session_mpi_is_open() ? session_mpi_frame : NULL;
    watched(call)->outer_caller = session_mpi_caller;
    session_mpi_frame = call->frame;
    session_mpi_caller = call->caller;
}

static inline void leave(const struct call *call)
{
    session_mpi_frame = watched(call)->outer_frame;
    session_mpi_caller = watched(call)->outer_caller;
}

static void prepare(struct call *call)
{
    watched(call)->operation = NULL;
    bool races = session_can_look_for_races();
    if (races)
        edges_prepare(call);
    session_lock();
    window_accesses_settle();
    if (call->routine->verb != VERB_issues)
        releases_outdate();
    if (session.engine)
        repeat_before(call);
    before(call);
    if (races)
        edges_before(call);
    if (call->routine->verb == VERB_finalises)
        transport_close();
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
    if (!session_is_active())
        return; /* MPI_Init: the session starts when it is over */
    if (has_nothing_to_do(call))
        return;
    if (call->routine->verb == VERB_finalises && is_told_when_others_are_done)
        finalising = call;
    else
        prepare(call);
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

/* Whether a process may have learnt by this call what others did. */
static bool tells_of_others(const struct call *call)
{
    switch (call->routine->verb) {
    case VERB_local:
    case VERB_starts:
    case VERB_prepares:
    case VERB_activates:
    case VERB_readies:
    case VERB_issues:
    case VERB_cancels:
    case VERB_releases:
    case VERB_names:
    case VERB_attaches:
    case VERB_detaches:
    case VERB_begins:
        return false;
    case VERB_blocking:
        return call->routine->order != ORDER_none &&
               !(call->routine->object == OBJECT_send && call->routine->order == ORDER_channel);
    case VERB_frees:
        return call->routine->object == OBJECT_window;
    default:
        return true;
    }
}

void call_after(struct call *call, int result)
{
    enum verb verb = call->routine->verb;
    leave(call);
    if (operations_orphaned && tells_of_others(call)) {
        session_lock();
        operations_end_orphans();
        session_unlock();
    }
    if (!session_can_look_for_races() && verb == VERB_blocking && !is_pack(call))
        return;
    if (!session_can_look_for_races() && verb == VERB_issues && result == MPI_SUCCESS &&
        !routine_has(call->routine, ROLE_new_request))
        return;
    if (verb == VERB_initialises) {
        if (result == MPI_SUCCESS) {
            ask_to_be_told();
            session_start();
        }
        return;
    }
    if (!session_is_active())
        return;
    if (verb == VERB_creates && session_exchanges)
        races_begin(call, result);
    session_lock();
    window_accesses_settle();
    if (session_can_look_for_races() &&
        call != finalising) /* it still is if a delete function failed */
        edges_after(call, result == MPI_SUCCESS);
    if (verb == VERB_completes || (verb == VERB_tests && call->routine->object != OBJECT_exposure))
        requests_completed(call, result);
    else if (verb == VERB_tests && result == MPI_SUCCESS)
        window_synchronised(call);
    else if (verb == VERB_finalises)
        session_end("finalized");
    else if (result == MPI_SUCCESS)
        succeeded(call);
    else
        failed(call);
    if (session.engine && result == MPI_SUCCESS)
        repeat_after(call);
    session_unlock();
}
