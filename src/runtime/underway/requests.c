#include "requests.h"

#include <stdlib.h>

#include "edges.h"
#include "messages.h"
#include "operations.h"
#include "session.h"
#include "usage.h"

void requests_bind(struct call *call)
{
    MPI_Request request = call_request_at(call, call->new_request, 0);
    operation_set_request(watched(call)->operation, request, call->new_request);
}

/* The requests of the call: one, or an array. */
static const void *requests_of(const struct call *call, int *n)
{
    if (routine_has(call->routine, ROLE_requests)) {
        *n = call->nrequests;
        return call->requests;
    }
    *n = 1;
    return call->request;
}

static bool tests_partition(const struct call *call)
{
    return call->routine->object == OBJECT_partition;
}

/* Whether only the status tells what a completed operation did. */
static bool wants_status(const struct call_request *request)
{
    bool ambiguous;
    const struct operation *operation =
        operation_by_request(request->handle, request->variable, &ambiguous);
    return operation && (operation->cancelled ||
                         (operation->receive.comm && receive_is_wildcard(&operation->receive)));
}

void requests_cancelled(struct call *call)
{
    bool ambiguous;
    struct operation *operation =
        operation_by_request(call_request_at(call, call->request, 0),
                             call_request_variable(call, call->request, 0), &ambiguous);
    if (!operation)
        return;
    operation->cancelled = true;
    operation->receive.can_be_asked = false;
    if (session_can_look_for_races())
        receive_cancel(&operation->receive);
}

void requests_save(struct call *call)
{
    int n;
    watched(call)->saved = NULL;
    watched(call)->saved_wants_status = false;
    if (tests_partition(call) || !operations_any_request())
        return;
    const void *requests = requests_of(call, &n);
    if (n <= 0)
        return;
    watched(call)->saved = n <= CALL_REQUESTS_INSIDE ? watched(call)->saved_inside
                                                     : malloc(n * sizeof *watched(call)->saved);
    for (int i = 0; watched(call)->saved && i < n; i++) {
        watched(call)->saved[i] = (struct call_request){call_request_at(call, requests, i),
                                                        call_request_variable(call, requests, i)};
        watched(call)->saved_wants_status |=
            session_can_look_for_races() && wants_status(&watched(call)->saved[i]);
    }
}

/* The i-th request; its status is the one at `at`. */
static void completed(const struct call *call, int i, int at)
{
    MPI_Status status;
    const struct call_request *request = &watched(call)->saved[i];
    if (request->handle != handles.request_null)
        operation_request_completed(
            request->handle, request->variable,
            session_can_look_for_races() && call_status_at(call, at, &status) ? &status : NULL);
}

/* The same requests, before any of them is completed here: their handles are gone, so nobody may
 * ask MPI about them any more, and which messages they got is known. */
static void recognise(const struct call *call, int i, int at)
{
    bool ambiguous;
    MPI_Status status;
    const struct call_request *request = &watched(call)->saved[i];
    struct operation *operation =
        operation_by_request(request->handle, request->variable, &ambiguous);
    if (!operation || !operation->receive.comm)
        return;
    operation->receive.can_be_asked = false;
    if (!operation->cancelled && receive_is_wildcard(&operation->receive) &&
        call_status_at(call, at, &status))
        receive_match(&operation->receive, status.MPI_SOURCE, status.MPI_TAG);
}

/* MPI_Parrived: one partition of a receive is there. */
static void partition_tested(struct call *call)
{
    bool ambiguous;
    struct operation *operation = operation_by_request(call->request_value, NULL, &ambiguous);
    if (!operation || !call_int_at(call->flag, 0))
        return;
    operation_free_partition(operation, call->partition);
    if (session_can_look_for_races())
        partitioned_arrived(&operation->end, call->partition);
}

/* A call that failed (MPI_ERR_IN_STATUS) has completed those whose handle is gone. Persistent ones
 * cannot be told apart that way; they count as complete. */
static void completed_despite_error(struct call *call, const void *requests, int n)
{
    bool ambiguous;
    for (int i = 0; i < n; i++) {
        struct operation *operation = operation_by_request(
            watched(call)->saved[i].handle, watched(call)->saved[i].variable, &ambiguous);
        if (operation)
            operation->receive.can_be_asked = false;
    }
    for (int i = 0; i < n; i++) {
        struct operation *operation = operation_by_request(
            watched(call)->saved[i].handle, watched(call)->saved[i].variable, &ambiguous);
        if (call_request_at(call, requests, i) == handles.request_null ||
            (operation && operation->persistent))
            completed(call, i, i);
    }
}

/* Whether a wait or test that succeeded has completed anything. Testsome says it by outcount. */
static bool is_done(const struct call *call)
{
    return call->routine->verb == VERB_completes || call->routine->object == OBJECT_some ||
           call_int_at(call->flag, 0);
}

/* Those that a call has completed: the i-th, with the status at `at`. */
typedef void visitor(const struct call *call, int i, int at);

static void visit_completed(const struct call *call, int n, visitor *visit)
{
    int index;
    switch (call->routine->object) {
    case OBJECT_one:
    case OBJECT_all:
        for (int i = 0; i < n; i++)
            visit(call, i, i);
        break;
    case OBJECT_any:
        index = call_index_at(call, call->index, 0);
        if (index != MPI_UNDEFINED)
            visit(call, index, 0);
        break;
    case OBJECT_some:
        n = call_int_at(call->outcount, 0);
        for (int i = 0; n != MPI_UNDEFINED && i < n; i++)
            visit(call, call_index_at(call, call->indices, i), i);
        break;
    default:
        break;
    }
}

void requests_completed(struct call *call, int result)
{
    if (tests_partition(call)) {
        if (result == MPI_SUCCESS)
            partition_tested(call);
        return;
    }
    if (!watched(call)->saved)
        return;
    int n;
    const void *requests = requests_of(call, &n);
    if (result != MPI_SUCCESS) {
        completed_despite_error(call, requests, n);
    } else if (is_done(call)) {
        if (watched(call)->saved_wants_status)
            visit_completed(call, n, recognise);
        visit_completed(call, n, completed);
    }
    if (watched(call)->saved != watched(call)->saved_inside)
        free(watched(call)->saved);
    free(call->statuses_inside);
}

/* ---- persistent requests ---- */

void requests_activate(struct call *call)
{
    int n;
    bool ambiguous;
    const void *requests = requests_of(call, &n);
    for (int i = 0; i < n; i++) {
        struct operation *operation =
            operation_by_request(call_request_at(call, requests, i),
                                 call_request_variable(call, requests, i), &ambiguous);
        if (!operation || !operation->persistent)
            continue;
        if (operation->state == OPERATION_ACTIVE)
            usage_report_call(call, CASE_STARTED_WHILE_ACTIVE, "MPI_Start", operation->stack);
        else
            operation_activate(operation, call);
    }
}

static void make_ready(struct operation *operation, struct call *call, int partition)
{
    if (session_can_look_for_races())
        partitioned_ready(&operation->end, partition);
    operation_use_partition(operation, call, partition);
}

void requests_ready(struct call *call)
{
    bool ambiguous;
    struct operation *operation = operation_by_request(call->request_value, NULL, &ambiguous);
    if (!operation)
        return;
    switch (call->routine->object) {
    case OBJECT_range:
        for (int i = call->low; i <= call->high; i++)
            make_ready(operation, call, i);
        break;
    case OBJECT_list:
        for (int i = 0; i < call->length; i++)
            make_ready(operation, call, call_int_at(call->list, i));
        break;
    default:
        make_ready(operation, call, call->partition);
        break;
    }
}

/* ---- requests that are given up ---- */

static void peeked(struct operation *operation, const MPI_Status *status)
{
    if (operation->state != OPERATION_ACTIVE)
        return;
    operation_end_buffers(operation);
    if (session_can_look_for_races())
        edges_completed(operation, status);
    operation_deactivate(operation);
    if (!operation->persistent)
        operation->state = OPERATION_COMPLETE;
}

/* The call has no variable that tells operations apart which share the request. They share it
 * because they are complete. */
void requests_peeked(struct call *call)
{
    MPI_Status status;
    if (!call_int_at(call->flag, 0))
        return;
    bool has_status = session_can_look_for_races() && call_status_at(call, 0, &status);
    for (struct operation *operation = operations_by_request(call->request_value); operation;
         operation = operation->next_with_request)
        peeked(operation, has_status ? &status : NULL);
}

void requests_release(struct call *call)
{
    bool ambiguous;
    MPI_Request request = call_request_at(call, call->request, 0);
    struct operation *operation =
        operation_by_request(request, call_request_variable(call, call->request, 0), &ambiguous);
    if (operation && operation->state == OPERATION_ACTIVE)
        usage_report_call(call, CASE_REQUEST_FREED_ACTIVE, operation->at->name, operation->stack);
    if (operation) {
        receive_abandon(&operation->receive);
        if (operation->state == OPERATION_ACTIVE && !operation->window)
            operation_orphan(operation);
        else
            operation_destroy(operation);
    } else if (ambiguous)
        operation_request_completed(request, NULL, NULL);
}

/* A persistent request was left where it was made, whatever was started and completed since. */
static void report_leak(const struct operation *operation)
{
    if (operation->state == OPERATION_ACTIVE)
        usage_report_leak(CASE_REQUEST_NEVER_COMPLETED, operation->at->name, operation->stack,
                          operation->thread);
    else if (operation->persistent)
        usage_report_leak(CASE_PERSISTENT_NEVER_FREED, operation->routine->name, operation->made,
                          operation->thread);
    else
        usage_report_leak(CASE_REQUEST_NEVER_FREED, operation->at->name, operation->stack,
                          operation->thread);
}

void requests_check_leaks(void)
{
    for (struct operation *operation = operations_first(); operation; operation = operation->next)
        if (operation->has_request) /* RMA: the epoch's business */
            report_leak(operation);
}
