/* The way of a call through the scheduler: what each verb of calls.def means before and after it.
 */
#include "held_call.h"
#include "fingerprint.h"
#include "hang.h"
#include "layer.h"
#include "interpose/datatype_layout.h"
#include "pace.h"
#include "interpose/record.h"
#include "release.h"
#include "stand_ins.h"
#include "settings.h"
#include "statuses.h"
#include "thread_pace.h"
#include "transfers.h"
#include "wildcards.h"

/* ---- operations ---- */

/* Whether operations are changed at all when they are not deferred. */
static bool changes_at_once(void)
{
    return settings.split || settings.add_flush || settings.latency;
}

/* A request of the layer's for a request-based operation, which then is issued without one. */
static bool request_for(const struct call *call, struct stressed_window *window,
                        struct operation *operation)
{
    return window_may_flush(window, operation->target) && rma_request_make(operation, window, call);
}

/* Legal: an operation may become enabled as late as when the ensuing synchronisation call is issued
 * (MPI-4.0 §12.7.3), and nobody may rely on its effect before that call completes it. */
static void defer(struct call *call, struct stressed_window *window, struct operation *operation)
{
    if (routine_has(call->routine, ROLE_new_request) && !request_for(call, window, operation)) {
        operation_free(operation);
        return;
    }
    operation_guard(operation);
    if (release_later(window, operation)) {
        call_replace(call, MPI_SUCCESS);
        return;
    }
    rma_request_discard(operation);
    operation_free(operation);
}

static void issue(struct call *call)
{
    pace_before_operation();
    if (!settings.defer && !settings.fingerprints && !changes_at_once())
        return; /* nobody asks what happened */
    struct stressed_window *window = stressed_find(call->win);
    bool as_is = !settings.defer && !changes_at_once() && call->routine->object != OBJECT_get;
    if (as_is && window && call->target >= 0 && call->target < window->ranks &&
        operation_is_remembered(call, window)) {
        if (call->routine->object != OBJECT_put && call->routine->object != OBJECT_accumulate)
            fingerprint_choice();
        window->under_way[call->target]++;
        return;
    }
    struct operation *operation = window ? operation_take(call, window) : NULL;
    if (!operation) {
        if (window && call->target >= 0 && call->target < window->ranks)
            window->under_way[call->target]++;
        return;
    }
    struct touch *touch = operation_note(operation, window);
    bool perturbed = settings_perturb(operation->site->name);
    if (perturbed && settings.defer) {
        defer(call, window, operation);
    } else if (perturbed && changes_at_once() && !routine_has(call->routine, ROLE_new_request)) {
        operation_guard(operation);
        pthread_mutex_lock(&window->releasing);
        call_replace(call, release_now(window, operation));
        pthread_mutex_unlock(&window->releasing);
    } else if (settings.fingerprints && operation->kind == OPERATION_GET &&
               (!routine_has(call->routine, ROLE_new_request) ||
                request_for(call, window, operation))) {
        /* What a get brings is compared with other runs: it is kept until it is complete. */
        pthread_mutex_lock(&window->releasing);
        call_replace(call, release_now(window, operation));
        pthread_mutex_unlock(&window->releasing);
    } else {
        if (operation_tells_order(operation))
            fingerprint_choice();
        if (as_is)
            operation_remember(call, window, operation, touch);
        window->under_way[operation->target]++;
        operation_free(operation);
    }
}

/* ---- completing calls ---- */

struct completion {
    int target;
    bool remote;
};

/* Whether the call completes operations of this process, and which. */
static bool completes(const struct call *call, struct completion *completion)
{
    *completion = (struct completion){ALL_TARGETS, true};
    switch (call->routine->verb) {
    case VERB_flushes_local:
        completion->remote = false;
        /* fall through */
    case VERB_flushes:
        if (call->routine->object == OBJECT_one)
            completion->target = call->target;
        return true;
    case VERB_opens:
        return call->routine->object == OBJECT_fence;
    case VERB_closes:
        if (call->routine->object == OBJECT_lock)
            completion->target = call->target;
        return call->routine->object != OBJECT_exposure;
    default:
        return false;
    }
}

static void sync_before(struct call *call)
{
    struct completion completion;
    struct stressed_window *window = completes(call, &completion) ? stressed_find(call->win) : NULL;
    if (!window)
        return;
    pthread_mutex_lock(&window->releasing);
    held(call)->scheduled = window;
    if (completion.remote)
        release_remote(window, completion.target);
    else
        release_local(window, completion.target);
}

static void sync_after(struct call *call, int result)
{
    struct completion completion;
    struct stressed_window *window = held(call)->scheduled;
    if (!completes(call, &completion)) {
        window = result == MPI_SUCCESS ? stressed_find(call->win) : NULL;
        if (!window)
            return;
        stressed_epoch(window, call);
        if (call->routine->object == OBJECT_exposure && call->routine->verb == VERB_closes)
            fingerprint_exposed(window);
        if (call->routine->object == OBJECT_lock && call->lock_type == MPI_LOCK_EXCLUSIVE)
            fingerprint_choice(); /* who comes first */
        return;
    }
    if (!window)
        return;
    if (result == MPI_SUCCESS) {
        release_settle(window, completion.target, completion.remote);
        if (call->routine->verb == VERB_opens || call->routine->verb == VERB_closes)
            stressed_epoch(window, call);
    }
    pthread_mutex_unlock(&window->releasing);
    /* With this assertion a fence is no barrier (MPI-4.0 §12.5.1) and must not become one, or races
     * would hide behind it. */
    if (result == MPI_SUCCESS && call->routine->object == OBJECT_fence &&
        !(call->assert &MPI_MODE_NOPRECEDE))
        fingerprint_window(window, false);
}

static void tested_exposure(struct call *call, int result)
{
    struct stressed_window *window =
        result == MPI_SUCCESS && call_int_at(call->flag, 0) ? stressed_find(call->win) : NULL;
    if (window)
        stressed_epoch(window, call);
}

/* ---- objects that come and go ---- */

static void free_type(struct call *call)
{
    MPI_Datatype type = call_type(call, call->freed_type);
    layer_lock();
    layout_drop(layer.layouts, type);
    layer_unlock();
    operations_forget();
}

/* In a correct program nothing waits any more. */
static void release_all(struct stressed_window *window)
{
    pthread_mutex_lock(&window->releasing);
    release_remote(window, ALL_TARGETS);
    pthread_mutex_unlock(&window->releasing);
}

static void create_after(struct call *call, int result)
{
    if (result == MPI_SUCCESS && routine_has(call->routine, ROLE_new_win))
        stressed_created(call);
}

static void memory_after(struct call *call, int result)
{
    if (result == MPI_SUCCESS)
        window_memory(call);
}

static void free_before(struct call *call)
{
    if (call->routine->object == OBJECT_type)
        free_type(call);
    if (call->routine->object != OBJECT_window)
        return;
    struct stressed_window *window = stressed_find(call_win(call, call->freed_win));
    held(call)->scheduled = window;
    if (window) {
        release_all(window);
        fingerprint_window(window, true);
    }
}

static void free_after(struct call *call, int result)
{
    if (!held(call)->scheduled || result != MPI_SUCCESS)
        return;
    operations_forget();
    stressed_freed(held(call)->scheduled);
}

/* ---- messages ---- */

/* What a blocking receive brought. */
static void received(struct call *call)
{
    struct buffer buffer = {call->buffers[0].base, 0, call->buffers[0].type};
    struct bytes bytes;
    MPI_Status status;
    if (!settings.fingerprints || call->source == MPI_PROC_NULL ||
        !call_status_at(call, 0, &status) ||
        pmpi.Get_count(&status, buffer.type, &buffer.count) != MPI_SUCCESS || buffer.count < 1)
        return;
    layer_lock();
    struct site *site = site_of(stack_take(call->caller, call->frame));
    layer_unlock();
    if (!site || !bytes_of(&bytes, &buffer))
        return;
    fingerprint_received(site, call->routine, status.MPI_SOURCE, status.MPI_TAG, &bytes);
    bytes_free(&bytes);
}

/* Whether the call brings all processes of the communicator together: those that exchange nothing
 * need not, and must not be made to by the layer, or races would hide behind them. Of the others
 * each process passes a count that is 0 for all or none. */
static bool brings_together(const struct call *call)
{
    if (!routine_is(call->routine, ATTRIBUTE_together))
        return false;
    return call->routine->nbuffers == 0 ||
           (call->buffers[1].count > 0 && call->buffers[1].type != handles.datatype_null);
}

static void blocking_before(struct call *call)
{
    if (call->routine->object == OBJECT_send)
        transfer_start(call);
    else if (routine_is_plain_receive(call->routine))
        wildcard_receive(call);
}

static void blocking_after(struct call *call, int result)
{
    /* Also after an error on the world: other processes may not have seen one, and would wait. */
    if (brings_together(call) && (result == MPI_SUCCESS || call->comm == handles.comm_world))
        fingerprint_collective(call->comm);
    else if (result == MPI_SUCCESS && routine_is_plain_receive(call->routine))
        received(call);
}

static void probe_after(struct call *call, int result)
{
    if (result == MPI_SUCCESS)
        wildcard_probed(call);
}

/* ---- requests, and MPI_Win_test ---- */

static bool is_of_window(const struct call *call)
{
    return call->routine->object == OBJECT_exposure;
}

static void completion_before(struct call *call)
{
    if (is_of_window(call))
        return;
    rma_requests_finish(call);
    transfers_before(call);
}

static void completion_after(struct call *call, int result)
{
    if (is_of_window(call)) {
        tested_exposure(call, result);
        return;
    }
    transfers_after(call, result);
    call_statuses_free(call);
    if (call->routine->verb == VERB_tests || call->routine->object == OBJECT_any ||
        call->routine->object == OBJECT_some)
        fingerprint_choice();
}

/* ---- the end ---- */

static void finalise_before(struct call *call)
{
    (void)call;
    transfers_finish();
    for (struct stressed_window *window = stressed_first(); window; window = stressed_next(window))
        release_all(window);
}

static void finalise_after(struct call *call, int result)
{
    (void)call, (void)result;
    layer_end("finalized");
}

static void abort_before(struct call *call)
{
    (void)call;
    hang_tell("mpi-abort");
    layer_end("aborted");
}

/* ---- what each verb of calls.def means ---- */

static const struct verb_meaning {
    void (*before)(struct call *call); /* may replace the call */
    void (*after)(struct call *call, int result);
} meanings[VERB_KINDS] = {
    [VERB_finalises] = {finalise_before, finalise_after},
    [VERB_aborts] = {abort_before, NULL},
    [VERB_blocking] = {blocking_before, blocking_after},
    [VERB_starts] = {transfer_start, transfer_started},
    [VERB_prepares] = {transfer_start, transfer_started},
    [VERB_activates] = {transfers_activate, NULL},
    [VERB_completes] = {completion_before, completion_after},
    [VERB_tests] = {completion_before, completion_after},
    [VERB_peeks] = {completion_before, completion_after},
    [VERB_cancels] = {completion_before, completion_after},
    [VERB_releases] = {completion_before, completion_after},
    [VERB_probes] = {wildcard_probe, probe_after},
    [VERB_issues] = {issue, NULL},
    [VERB_opens] = {sync_before, sync_after},
    [VERB_closes] = {sync_before, sync_after},
    [VERB_flushes] = {sync_before, sync_after},
    [VERB_flushes_local] = {sync_before, sync_after},
    [VERB_creates] = {NULL, create_after},
    [VERB_frees] = {free_before, free_after},
    [VERB_attaches] = {NULL, memory_after},
    [VERB_detaches] = {NULL, memory_after},
};

void call_before(struct call *call)
{
    if (!layer_is_active())
        return; /* MPI_Init: the layer starts when it is over */
    thread_pace_enter();
    if (call->routine->object == OBJECT_recv || call->routine->object == OBJECT_sendrecv)
        wildcard_receive_started();
    if (meanings[call->routine->verb].before)
        meanings[call->routine->verb].before(call);
}

void call_after(struct call *call, int result)
{
    if (call->routine->verb == VERB_initialises) {
        if (result == MPI_SUCCESS) {
            thread_pace_start();
            layer_start();
        }
        return;
    }
    if (!layer_is_active())
        return;
    if (call->routine->verb != VERB_finalises)
        transfers_poll();
    if (meanings[call->routine->verb].after)
        meanings[call->routine->verb].after(call, result);
    pace_after(call);
    thread_pace_leave();
}
