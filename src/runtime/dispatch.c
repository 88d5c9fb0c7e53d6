/* What each verb of calls.def means before and after the call. */
#include "call.h"

#include <stdlib.h>
#include <string.h>

#include "inuse.h"
#include "layout.h"
#include "operations.h"
#include "requests.h"
#include "session.h"
#include "usage.h"
#include "windows.h"

static void before(struct call *call)
{
    switch (call->routine->verb) {
    case VERB_blocking:
        /* Where packed bytes lie is known afterwards. */
        if (call->routine->object != OBJECT_pack && call->routine->object != OBJECT_unpack)
            operation_check_blocking(call);
        break;
    case VERB_starts:
    case VERB_begins:
        call->operation = operation_create(call, true);
        break;
    case VERB_prepares:
        call->operation = operation_create(call, false);
        break;
    case VERB_issues:
        window_check_epoch(call);
        call->operation = operation_issue(call);
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
            window_sync_check(call);
        else
            requests_save(call);
        break;
    case VERB_releases:
        requests_release(call);
        break;
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
        window_sync_check(call);
        break;
    case VERB_frees:
        if (call->routine->object == OBJECT_window)
            window_freed(call, call_win(call, call->freed_win));
        else if (call->routine->object == OBJECT_type)
            layout_drop(session.layouts, call_type(call, call->freed_type));
        break;
    case VERB_finalises:
        requests_check_leaks();
        windows_check_leaks();
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
        if (call->routine->object == OBJECT_pack || call->routine->object == OBJECT_unpack)
            operation_check_blocking(call);
        break;
    case VERB_starts:
    case VERB_prepares:
        if (call->operation)
            requests_bind(call);
        break;
    case VERB_begins:
        if (call->operation) {
            call->operation->has_file = true;
            call->operation->file = call->file;
        }
        break;
    case VERB_finishes: {
        struct operation *operation = operation_by_file(call->file);
        if (operation)
            operation_destroy(operation);
        break;
    }
    case VERB_issues:
        if (call->operation && routine_has(call->routine, ROLE_new_request))
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
            window_created(call, call_win(call, call->new_win));
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
        if (call->operation)
            operation_destroy(call->operation);
        break;
    default:
        break;
    }
}

void call_before(struct call *call)
{
    if (!session_is_active())
        return; /* MPI_Init: the session starts when it is over */
    pthread_mutex_lock(&session.lock);
    before(call);
    pthread_mutex_unlock(&session.lock);
}

void call_after(struct call *call, int result)
{
    enum verb verb = call->routine->verb;
    if (verb == VERB_initialises) {
        if (result == MPI_SUCCESS)
            session_start();
        return;
    }
    if (!session_is_active())
        return;
    pthread_mutex_lock(&session.lock);
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
    pthread_mutex_unlock(&session.lock);
}
