/* What each verb of calls.def means to the scheduler, before and after the call. */
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
#include "transfers.h"
#include "wildcards.h"

static void replace(struct call *call, int result)
{
    held(call)->replaced = true;
    held(call)->replacement = result;
}

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
        replace(call, MPI_SUCCESS);
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
        replace(call, release_now(window, operation));
        pthread_mutex_unlock(&window->releasing);
    } else if (settings.fingerprints && operation->kind == OPERATION_GET &&
               (!routine_has(call->routine, ROLE_new_request) ||
                request_for(call, window, operation))) {
        /* What a get brings is compared with other runs: it is kept until it is complete. */
        pthread_mutex_lock(&window->releasing);
        replace(call, release_now(window, operation));
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

static void before_completion(struct call *call)
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

static void after_completion(struct call *call, int result)
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

/* ---- objects that go ---- */

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
    if (call->routine->object != OBJECT_collective || call->routine->order != ORDER_all)
        return false;
    if (call->routine == &routines[ROUTINE_Barrier])
        return true;
    if (call->routine == &routines[ROUTINE_Allreduce])
        return call->buffers[1].count > 0;
    if (call->routine == &routines[ROUTINE_Allgather] ||
        call->routine == &routines[ROUTINE_Alltoall])
        return call->buffers[1].count > 0 && call->buffers[1].type != handles.datatype_null;
    return false;
}

/* ---- the call ---- */

void call_before(struct call *call)
{
    if (!layer_is_active())
        return; /* MPI_Init: the layer starts when it is over */
    if (call->routine->object == OBJECT_recv || call->routine->object == OBJECT_sendrecv)
        wildcard_receive_started();
    switch (call->routine->verb) {
    case VERB_issues:
        issue(call);
        break;
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
        before_completion(call);
        break;
    case VERB_completes:
    case VERB_tests:
    case VERB_peeks:
    case VERB_cancels:
    case VERB_releases:
        if (call->routine->object == OBJECT_exposure)
            break;
        rma_requests_finish(call);
        transfers_before(call);
        break;
    case VERB_starts:
    case VERB_prepares:
        transfer_start(call);
        break;
    case VERB_activates:
        transfers_activate(call);
        break;
    case VERB_blocking:
        if (call->routine->object == OBJECT_send)
            transfer_start(call);
        else if (call->routine == &routines[ROUTINE_Recv])
            wildcard_receive(call);
        break;
    case VERB_probes:
        wildcard_probe(call);
        break;
    case VERB_frees:
        if (call->routine->object == OBJECT_type) {
            free_type(call);
        } else if (call->routine->object == OBJECT_window) {
            held(call)->scheduled = stressed_find(call_win(call, call->freed_win));
            if (held(call)->scheduled) {
                release_all(held(call)->scheduled);
                fingerprint_window(held(call)->scheduled, true);
            }
        }
        break;
    case VERB_finalises:
        transfers_finish();
        for (struct stressed_window *window = stressed_first(); window;
             window = stressed_next(window))
            release_all(window);
        break;
    case VERB_aborts:
        hang_tell("mpi-abort");
        layer_end("aborted");
        break;
    default:
        break;
    }
}

void call_after(struct call *call, int result)
{
    if (call->routine->verb == VERB_initialises) {
        if (result == MPI_SUCCESS)
            layer_start();
        return;
    }
    if (!layer_is_active())
        return;
    if (call->routine->verb != VERB_finalises)
        transfers_poll();
    switch (call->routine->verb) {
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
        after_completion(call, result);
        break;
    case VERB_creates:
        if (result == MPI_SUCCESS && routine_has(call->routine, ROLE_new_win))
            stressed_created(call);
        break;
    case VERB_attaches:
    case VERB_detaches:
        if (result == MPI_SUCCESS)
            window_memory(call);
        break;
    case VERB_frees:
        if (held(call)->scheduled && result == MPI_SUCCESS) {
            operations_forget();
            stressed_freed(held(call)->scheduled);
        }
        break;
    case VERB_blocking:
        /* Also after an error on the world: other processes may not have seen one, and would wait.
         */
        if (brings_together(call) && (result == MPI_SUCCESS || call->comm == handles.comm_world))
            fingerprint_collective(call->comm);
        else if (result == MPI_SUCCESS && call->routine == &routines[ROUTINE_Recv])
            received(call);
        break;
    case VERB_starts:
    case VERB_prepares:
        transfer_started(call, result);
        break;
    case VERB_completes:
    case VERB_tests:
    case VERB_peeks:
    case VERB_cancels:
    case VERB_releases:
        if (call->routine->object == OBJECT_exposure) {
            tested_exposure(call, result);
            break;
        }
        transfers_after(call, result);
        call_statuses_free(call);
        if (call->routine->verb == VERB_tests || call->routine->object == OBJECT_any ||
            call->routine->object == OBJECT_some)
            fingerprint_choice();
        break;
    case VERB_probes:
        if (result == MPI_SUCCESS)
            wildcard_probed(call);
        break;
    case VERB_finalises:
        layer_end("finalized");
        break;
    default:
        break;
    }
    pace_after(call);
}
