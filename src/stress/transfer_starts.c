/* Sends, receives and collectives that begin: handed to MPI in another form, or remembered. */
#include "transfers.h"

#include <limits.h>
#include <stdlib.h>

#include "aside.h"
#include "layer.h"
#include "settings.h"
#include "stand_ins.h"
#include "stressed_windows.h"
#include "transfer.h"

/* Larger receives go straight into the program's buffer. */
enum { BOUNCE_MOST = 16 << 20 };

/* A predefined type cannot be freed, and many requests duplicate none. */
static bool hold_type(struct transfer *transfer)
{
    int unused[3], combiner = MPI_COMBINER_NAMED;
    if (pmpi.Type_get_envelope(transfer->buffer.type, &unused[0], &unused[1], &unused[2],
                               &combiner) != MPI_SUCCESS)
        return false;
    if (combiner == MPI_COMBINER_NAMED)
        return true;
    transfer->has_held = pmpi.Type_dup(transfer->buffer.type, &transfer->held) == MPI_SUCCESS;
    if (transfer->has_held)
        transfer->buffer.type = transfer->held;
    return transfer->has_held;
}

/* The memory that MPI writes. */
static void note_written(struct transfer *transfer, const struct call *call)
{
    for (int i = 0; i < call->routine->nbuffers; i++) {
        struct bytes bytes;
        bool written = false;
        if (!bytes_of_argument(&bytes, call, i, &written))
            continue;
        if (written && bytes.count) {
            bool first = transfer->low == transfer->high;
            transfer->low = first || bytes.low < transfer->low ? bytes.low : transfer->low;
            transfer->high = first || bytes.high > transfer->high ? bytes.high : transfer->high;
        }
        bytes_free(&bytes);
    }
}

static struct transfer *transfer_allocate(const struct call *call)
{
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer)
        return NULL;
    transfer->routine = call->routine;
    transfer->persistent = call->routine->verb == VERB_prepares;
    transfer->active = !transfer->persistent;
    if (settings.fingerprints && stressed_first())
        note_written(transfer, call);
    layer_lock();
    transfer->site = site_of(stack_take(call->caller, call->frame));
    layer_unlock();
    if (transfer->site)
        return transfer;
    transfer_destroy(transfer);
    return NULL;
}

static struct transfer *transfer_make(const struct call *call)
{
    const struct call_buffer *given = &call->buffers[0];
    if (given->count < 1 || given->count > INT_MAX || given->type == handles.datatype_null ||
        (routine_has(call->routine, ROLE_comm) && call->comm == handles.comm_null))
        return NULL;
    struct transfer *transfer = transfer_allocate(call);
    if (!transfer)
        return NULL;
    transfer->buffer = (struct buffer){given->base, (int)given->count, given->type};
    if (hold_type(transfer))
        return transfer;
    transfer_destroy(transfer);
    return NULL;
}

static bool make_room(struct transfer *transfer)
{
    struct bytes bytes;
    int size = 0;
    long long all = pmpi.Type_size(transfer->buffer.type, &size) == MPI_SUCCESS
                        ? (long long)size * transfer->buffer.count
                        : 0;
    if (all < 1 || all > BOUNCE_MOST || !bytes_of(&bytes, &transfer->buffer))
        return false;
    bytes_free(&bytes);
    transfer->size = (int)all;
    transfer->before = malloc((size_t)all);
    transfer->arriving = malloc((size_t)all);
    return transfer->before && transfer->arriving;
}

static int receive_into(struct transfer *transfer, const struct call *call)
{
    if (routine_has(call->routine, ROLE_message))
        return pmpi.Imrecv(transfer->arriving, transfer->size, handles.packed, call->message,
                           &transfer->handle);
    if (!transfer->persistent)
        return pmpi.Irecv(transfer->arriving, transfer->size, handles.packed, call->source,
                          call->tag, call->comm, &transfer->handle);
    return pmpi.Recv_init(transfer->arriving, transfer->size, handles.packed, call->source,
                          call->tag, call->comm, &transfer->handle);
}

/* Legal: until a receive is complete the program may not look at its buffer, so it cannot tell
 * where the data are meanwhile (MPI-4.0 §3.7.2). Data of any type may be received as MPI_PACKED
 * (§5.2), and the status counts bytes in either case. What the message does not reach keeps its old
 * contents. */
static void receive_aside(struct call *call)
{
    struct transfer *transfer = transfer_make(call);
    if (!transfer)
        return;
    transfer->is_receive = true;
    /* A persistent one has its buffer hidden each time that it is started. */
    if (!make_room(transfer) || (!transfer->persistent && !transfer_hide(transfer))) {
        transfer_destroy(transfer);
        return;
    }
    int error = receive_into(transfer, call);
    call_replace(call, error); /* if MPI has something against the call, it has said so */
    if (error == MPI_SUCCESS) {
        call_store_request(call, call->new_request, transfer->handle);
        transfer_link(&under_way.transfers, transfer);
        return;
    }
    if (!transfer->persistent)
        transfer_restore(transfer);
    transfer_destroy(transfer);
}

/* The program receives into its buffer by a call of its own making that the layer knows how to make
 * otherwise. */
static bool can_receive_aside(const struct call *call)
{
    if (routine_is_plain_receive(call->routine))
        return call->source != MPI_PROC_NULL;
    /* A Fortran program keeps its message handles in another form. */
    return routine_has(call->routine, ROLE_message) && !call->routine->large && !call->fortran;
}

/* Legal: whether a standard send waits for its receive is up to MPI (MPI-4.0 §3.4). */
static int send_synchronously(const struct call *call, MPI_Request *request)
{
    const struct call_buffer *given = &call->buffers[0];
    if (call->routine->verb == VERB_blocking)
        return pmpi.Ssend(given->base, (int)given->count, given->type, call->dest, call->tag,
                          call->comm);
    if (call->routine->verb == VERB_starts)
        return pmpi.Issend(given->base, (int)given->count, given->type, call->dest, call->tag,
                           call->comm, request);
    return pmpi.Ssend_init(given->base, (int)given->count, given->type, call->dest, call->tag,
                           call->comm, request);
}

static bool is_standard_send(const struct routine *routine)
{
    return routine_is(routine, ATTRIBUTE_standard) && !routine->large;
}

static void start_send(struct call *call)
{
    bool synchronous =
        settings.synchronous && is_standard_send(call->routine) && call->dest != MPI_PROC_NULL;
    bool guarded =
        settings.poison && call->routine->verb != VERB_blocking && call->dest != MPI_PROC_NULL;
    struct transfer *transfer = guarded ? transfer_make(call) : NULL;
    MPI_Request request = handles.request_null;
    if (transfer && !transfer_remember(transfer)) {
        transfer_destroy(transfer);
        transfer = NULL;
    }
    held(call)->scheduled = transfer; /* bound to its request when there is one */
    if (!synchronous)
        return;
    int error = send_synchronously(call, &request);
    if (error == MPI_SUCCESS && call->routine->verb != VERB_blocking)
        call_store_request(call, call->new_request, request);
    call_replace(call, error);
    if (transfer && error == MPI_SUCCESS) {
        transfer->handle = request;
        transfer_link(&under_way.transfers, transfer);
    } else if (transfer) {
        transfer_destroy(transfer);
    }
    held(call)->scheduled = NULL;
}

static void start_collective(struct call *call)
{
    struct transfer *transfer = transfer_allocate(call);
    if (!transfer)
        return;
    transfer->aside = aside_make(call);
    if (!transfer->aside) {
        transfer_destroy(transfer);
        return;
    }
    if (transfer->active)
        aside_hide(transfer->aside);
    held(call)->scheduled = transfer;
}

/* What arrives in window memory changes it at a moment of MPI's choice: fingerprints must know. */
static void watch(struct call *call)
{
    struct transfer *transfer = transfer_allocate(call);
    if (!transfer)
        return;
    if (windows_show(transfer->low, transfer->high)) {
        transfer->watched = true;
        held(call)->scheduled = transfer;
    } else {
        transfer_destroy(transfer);
    }
}

void transfer_start(struct call *call)
{
    bool collective = call->routine->object == OBJECT_collective,
         receive = call->routine->object == OBJECT_recv;
    if (call->routine->object == OBJECT_send)
        start_send(call);
    else if (settings.poison && collective)
        start_collective(call);
    else if (settings.poison && receive && can_receive_aside(call))
        receive_aside(call);
    if ((collective || receive) && call->routine->verb != VERB_blocking && !held(call)->replaced &&
        !held(call)->scheduled && settings.fingerprints && stressed_first())
        watch(call);
}

void transfer_started(struct call *call, int result)
{
    struct transfer *transfer = held(call)->scheduled;
    if (!transfer)
        return;
    held(call)->scheduled = NULL;
    if (result == MPI_SUCCESS) {
        transfer->handle = call_request_at(call, call->new_request, 0);
        transfer_link(&under_way.transfers, transfer);
    } else {
        if (transfer->aside && transfer->active)
            aside_undo(transfer->aside);
        transfer_destroy(transfer);
    }
}
