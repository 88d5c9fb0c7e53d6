#include "stand_ins.h"

#include <stdlib.h>

#include "layer.h"
#include "interpose/record.h"
#include "interpose/stand_in_request.h"
#include "release.h"
#include "settings.h"

struct rma_request {
    MPI_Request handle;
    struct stressed_window *window;
    struct operation *operation; /* NULL: issued */
    int target;
    struct rma_request *next;
};

static struct rma_request *requests;

/* ---- life ---- */

void call_store_request(const struct call *call, void *variable, MPI_Request request)
{
    if (!call->fortran)
        *(MPI_Request *)variable = request;
    else
#ifdef OPEN_MPI
        *(MPI_Fint *)variable = pmpi.Request_c2f(request);
#else
        *(MPI_Request *)variable = request;
#endif
}

bool rma_request_make(struct operation *operation, struct stressed_window *window,
                      const struct call *call)
{
    struct rma_request *request = calloc(1, sizeof *request);
    if (!request || stand_in_request_start(&request->handle) != MPI_SUCCESS) {
        free(request);
        return false;
    }
    request->window = window;
    request->operation = operation;
    request->target = operation->target;
    operation->request = request;
    layer_lock();
    request->next = requests;
    requests = request;
    layer_unlock();
    call_store_request(call, call->new_request, request->handle);
    return true;
}

void rma_request_issued(struct operation *operation)
{
    operation->request->operation = NULL;
    operation->request = NULL;
}

static void unlink_request(struct rma_request *request)
{
    layer_lock();
    struct rma_request **link = &requests;
    while (*link && *link != request)
        link = &(*link)->next;
    if (*link)
        *link = request->next;
    layer_unlock();
}

void rma_request_discard(struct operation *operation)
{
    struct rma_request *request = operation->request;
    if (!request)
        return;
    unlink_request(request);
    pmpi.Grequest_complete(request->handle);
    pmpi.Request_free(&request->handle);
    free(request);
    operation->request = NULL;
}

static struct rma_request *find(MPI_Request handle)
{
    layer_lock();
    struct rma_request *request = requests;
    while (request && request->handle != handle)
        request = request->next;
    layer_unlock();
    return request;
}

/* The request of a put or accumulate is complete when its origin buffer is free, which a copy
 * achieves; that of a fetching operation when the result is there (MPI-4.0 §12.3.5). */
static void finish(struct rma_request *request)
{
    struct stressed_window *window = request->window;
    struct operation *operation = request->operation;
    pthread_mutex_lock(&window->releasing);
    bool kept = false;
    if (operation && settings.local_completion && !is_fetching(operation->kind)) {
        operation_check(operation);
        kept = operation_copy(operation);
    }
    if (!kept) {
        if (operation)
            release_one(window, operation);
        /* Request-based operations exist under locks only, where this is allowed. */
        if (window_may_flush(window, request->target)) {
            pmpi.Win_flush_local(request->target, window->model.handle);
            release_settle(window, request->target, false);
        }
    } else {
        operation->request = NULL;
    }
    pthread_mutex_unlock(&window->releasing);
    unlink_request(request);
    pmpi.Grequest_complete(request->handle);
    free(request);
}

static void finish_if_ours(MPI_Request handle)
{
    struct rma_request *request = handle == handles.request_null ? NULL : find(handle);
    if (request)
        finish(request);
}

void rma_requests_finish(const struct call *call)
{
    if (!requests)
        return;
    if (routine_has(call->routine, ROLE_requests))
        for (int i = 0; i < call->nrequests; i++)
            finish_if_ours(call_request_at(call, call->requests, i));
    else if (routine_has(call->routine, ROLE_request))
        finish_if_ours(call_request_at(call, call->request, 0));
    else if (routine_has(call->routine, ROLE_request_value))
        finish_if_ours(call->request_value);
}
