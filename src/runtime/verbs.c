#include "verbs.h"

#include "actors.h"
#include "allocations.h"
#include "crossings.h"
#include "edges.h"
#include "ends.h"
#include "epoch_rules.h"
#include "interpose/datatype_layout.h"
#include "interpose/regatta_options.h"
#include "messages.h"
#include "operations.h"
#include "pending.h"
#include "requests.h"
#include "rma.h"
#include "session.h"
#include "transport.h"
#include "watched_window.h"
#include "window_operations.h"

/* In each handler the order matters: what this process does comes before what others learn of it,
 * and what it learns before what it does next. */

static inline bool order_matters(void)
{
    return session_can_look_for_races();
}

/* ---- blocking calls ---- */

static void blocking_before(struct call *call)
{
    if (!is_pack(call))
        operation_check_blocking(call);
    if (actors_are_concurrent())
        operation_blocking_used(call, BUFFER_READ);
    if (order_matters())
        edges_blocking(call);
}

static void blocking_succeeded(struct call *call)
{
    if (order_matters())
        edges_blocking_over(call, true);
    if (is_pack(call))
        operation_check_blocking(call);
    if (actors_are_concurrent()) {
        crossing_return();
        operation_blocking_used(call, BUFFER_WRITE);
    }
}

static void blocking_failed(struct call *call)
{
    if (order_matters())
        edges_blocking_over(call, false);
}

static bool blocking_tells(const struct call *call)
{
    return call->routine->order != ORDER_none &&
           !(call->routine->object == OBJECT_send && call->routine->order == ORDER_channel);
}

static bool blocking_wants_status(const struct call *call)
{
    const struct receive *receive = watched(call)->receive;
    return receive && receive->comm && receive_is_wildcard(receive);
}

static void probe_succeeded(struct call *call)
{
    if (order_matters())
        edges_probed(call);
}

/* ---- operations with a request, or a file ---- */

static void start_before(struct call *call)
{
    watched(call)->operation = operation_start(call);
    if (order_matters())
        edges_start(call);
    if (watched(call)->operation)
        ends_describe(&watched(call)->operation->about, call);
}

static void prepare_before(struct call *call)
{
    watched(call)->operation = operation_prepare(call);
    if (order_matters())
        edges_prepare(call);
    if (watched(call)->operation)
        ends_describe(&watched(call)->operation->about, call);
}

static void request_returned(struct call *call)
{
    if (watched(call)->operation)
        requests_bind(call);
}

static void start_failed(struct call *call)
{
    if (watched(call)->operation)
        operation_destroy(watched(call)->operation);
}

static void begin_before(struct call *call)
{
    watched(call)->operation = operation_start(call);
}

static void begin_succeeded(struct call *call)
{
    struct operation *operation = watched(call)->operation;
    if (operation) {
        operation->has_file = true;
        operation->file = call->file;
    }
}

static void finish_succeeded(struct call *call)
{
    struct operation *operation = operation_by_file(call->file);
    if (operation) {
        operation_end_buffers(operation);
        operation_destroy(operation);
    }
}

/* ---- requests, and MPI_Win_test ---- */

static void completion_over(struct call *call)
{
    requests_completed(call, watched(call)->result);
}

static bool is_of_window(const struct call *call)
{
    return call->routine->object == OBJECT_exposure;
}

static void test_before(struct call *call)
{
    if (!is_of_window(call)) {
        requests_save(call);
        return;
    }
    epoch_check_sync(call);
    if (order_matters())
        rma_sync_before(call);
}

static void test_succeeded(struct call *call)
{
    if (!is_of_window(call)) {
        completion_over(call);
        return;
    }
    if (order_matters())
        rma_sync_after(call);
    struct window *window = call_int_at(call->flag, 0) ? window_find(call->win) : NULL;
    if (window)
        window_epoch_closed(window, call);
}

static void test_failed(struct call *call)
{
    if (!is_of_window(call))
        completion_over(call);
}

static bool completion_wants_status(const struct call *call)
{
    return watched(call)->saved_wants_status;
}

/* ---- RMA operations ---- */

static void issue_before(struct call *call)
{
    epoch_check_operation(call);
    watched(call)->operation = operation_issue(call);
    if (order_matters())
        watched(call)->rma_request = rma_issued(call);
}

static void note_rma_request(struct call *call)
{
    if (order_matters() && watched(call)->operation)
        watched(call)->operation->rma_request = watched(call)->rma_request;
}

static void issue_succeeded(struct call *call)
{
    note_rma_request(call);
    if (watched(call)->operation && routine_has(call->routine, ROLE_new_request)) {
        ends_describe(&watched(call)->operation->about, call);
        requests_bind(call);
    }
}

static void issue_failed(struct call *call)
{
    note_rma_request(call);
    if (watched(call)->operation)
        operation_destroy(watched(call)->operation);
    else
        pending_retract(call);
}

/* ---- epochs ---- */

static void sync_before(struct call *call)
{
    epoch_check_sync(call);
    window_completing(call);
    if (order_matters())
        rma_sync_before(call);
}

static void memory_sync_before(struct call *call)
{
    epoch_check_sync(call);
}

static void opened(struct call *call)
{
    struct window *window = window_find(call->win);
    if (!window)
        return;
    window_epoch_opened(window, call);
    ends_locked(call);
    if (order_matters())
        rma_sync_after(call);
    window_completed(window, call); /* a fence */
    window_quick_update(window);
}

static void flushed(struct call *call)
{
    if (order_matters())
        rma_sync_after(call);
    struct window *window = window_find(call->win);
    if (window)
        window_completed(window, call);
}

static void closed(struct call *call)
{
    flushed(call);
    struct window *window = window_find(call->win);
    if (!window)
        return;
    window_epoch_closed(window, call);
    ends_unlocked(call);
    window_quick_update(window);
}

/* ---- objects that come and go ---- */

static void create_before(struct call *call)
{
    if (order_matters())
        edges_construct(call);
}

static void window_created(struct call *call)
{
    struct window *window = window_create(call);
    if (!window)
        return;
    watched_window(window)->thread = session_thread();
    window_add(window);
    if (order_matters())
        rma_window_created(call, window);
}

static void create_succeeded(struct call *call)
{
    if (routine_has(call->routine, ROLE_new_win))
        window_created(call);
    if (order_matters())
        edges_constructed(call, true);
}

static void create_failed(struct call *call)
{
    if (order_matters())
        edges_constructed(call, false);
}

/* The window is not found by its handle from now on, which MPI may give to another one before this
 * call is over. */
static void window_freeing(struct call *call)
{
    struct window *window = window_find(call_win(call, call->freed_win));
    if (!window)
        return;
    epoch_check_free(call, window);
    window_complete_all(window);
    window_quick_end(window);
    window_remove(window);
    watched(call)->freed_window = watched_window(window);
}

static void free_before(struct call *call)
{
    watched(call)->freed_window = NULL;
    if (call->routine->object == OBJECT_window) {
        window_freeing(call);
    } else if (call->routine->object == OBJECT_type) {
        pending_settle();
        layout_drop(session.layouts, call_type(call, call->freed_type));
    }
    if (order_matters())
        edges_free(call);
}

static void free_over(struct call *call)
{
    struct watched_window *window = watched(call)->freed_window;
    if (order_matters())
        edges_freed(call);
    if (!window)
        return;
    rma_window_forget(window);
    window_destroy(&window->model);
}

static bool free_tells(const struct call *call)
{
    return call->routine->object == OBJECT_window;
}

static void attach_succeeded(struct call *call)
{
    if (order_matters())
        rma_attached(call);
}

static void allocate_succeeded(struct call *call)
{
    allocation_made(call);
}

static void deallocate_before(struct call *call)
{
    allocation_given_back(call);
}

static void detach_before(struct call *call)
{
    if (order_matters())
        rma_detaching(call);
}

static void name_succeeded(struct call *call)
{
    struct window *window = call->routine->object == OBJECT_window ? window_find(call->win) : NULL;
    if (window)
        window_named(window);
}

/* ---- the end ---- */

static void finalise_before(struct call *call)
{
    if (options.leaks) {
        requests_check_leaks();
        windows_check_leaks();
    }
    if (order_matters())
        edges_finalise(call);
    transport_close();
}

static void finalise_over(struct call *call)
{
    if (order_matters())
        edges_finalised(call);
    session_end("finalized");
}

static void abort_before(struct call *call)
{
    (void)call;
    session_end("aborted");
}

/* ---- all of them ---- */

static bool always(const struct call *call)
{
    (void)call;
    return true;
}

const struct verb_meaning verb_meanings[VERB_KINDS] = {
    [VERB_local] = {0},
    [VERB_initialises] = {.tells_of_others = always},
    [VERB_finalises] = {finalise_before, finalise_over, finalise_over, always, NULL},
    [VERB_aborts] = {abort_before, NULL, NULL, always, NULL},
    [VERB_blocking] = {blocking_before, blocking_succeeded, blocking_failed, blocking_tells,
                       blocking_wants_status},
    [VERB_starts] = {start_before, request_returned, start_failed, NULL, NULL},
    [VERB_prepares] = {prepare_before, request_returned, start_failed, NULL, NULL},
    [VERB_activates] = {requests_activate, NULL, NULL, NULL, NULL},
    [VERB_readies] = {requests_ready, NULL, NULL, NULL, NULL},
    [VERB_completes] = {requests_save, completion_over, completion_over, always,
                        completion_wants_status},
    [VERB_tests] = {test_before, test_succeeded, test_failed, always, completion_wants_status},
    [VERB_peeks] = {NULL, requests_peeked, NULL, always, always},
    [VERB_releases] = {requests_release, NULL, NULL, NULL, NULL},
    [VERB_cancels] = {requests_cancelled, NULL, NULL, NULL, NULL},
    [VERB_probes] = {NULL, probe_succeeded, NULL, always, always},
    [VERB_issues] = {issue_before, issue_succeeded, issue_failed, NULL, NULL},
    [VERB_opens] = {sync_before, opened, NULL, always, NULL},
    [VERB_closes] = {sync_before, closed, NULL, always, NULL},
    [VERB_flushes] = {sync_before, flushed, NULL, always, NULL},
    [VERB_flushes_local] = {sync_before, flushed, NULL, always, NULL},
    [VERB_syncs] = {.before = memory_sync_before, .tells_of_others = always},
    [VERB_creates] = {create_before, create_succeeded, create_failed, always, NULL},
    [VERB_frees] = {free_before, free_over, free_over, free_tells, NULL},
    [VERB_disconnects] = {.tells_of_others = always},
    [VERB_names] = {NULL, name_succeeded, NULL, NULL, NULL},
    [VERB_attaches] = {NULL, attach_succeeded, NULL, NULL, NULL},
    [VERB_detaches] = {detach_before, NULL, NULL, NULL, NULL},
    [VERB_allocates] = {NULL, allocate_succeeded, NULL, NULL, NULL},
    [VERB_deallocates] = {deallocate_before, NULL, NULL, NULL, NULL},
    [VERB_begins] = {begin_before, begin_succeeded, start_failed, NULL, NULL},
    [VERB_finishes] = {NULL, finish_succeeded, NULL, always, NULL},
    [VERB_agrees] = {0},
};
