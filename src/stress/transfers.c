#include "transfers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "copies.h"
#include "fingerprint.h"
#include "layer.h"
#include "reports.h"
#include "stand_ins.h"
#include "settings.h"
#include "sites.h"
#include "statuses.h"
#include "stressed_windows.h"

/* Larger receives go straight into the program's buffer. And so often a test may say no in vain. */
enum { BOUNCE_MOST = 16 << 20, REFUSALS_MOST = 3 };
/* How long MPI_Finalize waits for what still arrives, in steps of microseconds. */
enum { FINISH_TURNS = 1000, FINISH_PAUSE = 1000 };

struct transfer {
    MPI_Request handle;
    const struct routine *routine;
    struct site *site;
    struct buffer buffer; /* the program's */
    bool is_receive, delivered;
    bool persistent, active; /* active: from start to completion */
    bool asked_for;          /* by a call that is with MPI now */
    bool concluded; /* the buffer has been looked at or filled; what is left is to forget it */
    int refusals;
    uint64_t hash; /* send: of the buffer when it was handed over */
    /* receive: what was in the buffer, and what arrives; packed, `size` bytes each */
    char *before, *arriving;
    int size;
    struct aside *aside; /* collective: its buffers */
    uint64_t low, high;  /* where MPI writes until it is complete; low == high: nowhere */
    bool watched;        /* handed on as it is; only that it is under way matters */
    MPI_Datatype held;   /* a duplicate of the buffer's datatype: the program may free its own */
    bool has_held;
    struct transfer *next;
};

static struct transfer *transfers, *orphans;

/* One that no call asks for yet. */
static struct transfer *claim(MPI_Request handle)
{
    if (handle == handles.request_null)
        return NULL;
    layer_lock();
    struct transfer *transfer = transfers;
    while (transfer && (transfer->handle != handle || transfer->asked_for))
        transfer = transfer->next;
    if (transfer)
        transfer->asked_for = true;
    layer_unlock();
    return transfer;
}

static void link_to(struct transfer **list, struct transfer *transfer)
{
    layer_lock();
    transfer->next = *list;
    *list = transfer;
    layer_unlock();
}

static void unlink_from(struct transfer **list, struct transfer *transfer)
{
    layer_lock();
    while (*list && *list != transfer)
        list = &(*list)->next;
    if (*list)
        *list = transfer->next;
    layer_unlock();
}

static void destroy(struct transfer *transfer)
{
    if (transfer->has_held)
        bytes_forget_type(&transfer->held);
    if (transfer->aside)
        aside_free(transfer->aside);
    free(transfer->before);
    free(transfer->arriving);
    free(transfer);
}

/* ---- start ---- */

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
    destroy(transfer);
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
    destroy(transfer);
    return NULL;
}

static void replace(struct call *call, int result)
{
    held(call)->replaced = true;
    held(call)->replacement = result;
}

/* Keeps what is in the buffer and poisons it. */
static bool hide_buffer(struct transfer *transfer)
{
    struct bytes bytes;
    int position = 0;
    if (!bytes_of(&bytes, &transfer->buffer))
        return false;
    bool kept =
        pmpi.Pack(transfer->buffer.base, transfer->buffer.count, transfer->buffer.type,
                  transfer->before, transfer->size, &position, handles.comm_self) == MPI_SUCCESS &&
        position == transfer->size;
    if (kept)
        bytes_poison(&bytes);
    bytes_free(&bytes);
    return kept;
}

/* Puts `before` into the program's buffer. */
static void restore_buffer(struct transfer *transfer)
{
    int position = 0;
    pmpi.Unpack(transfer->before, transfer->size, &position, transfer->buffer.base,
                transfer->buffer.count, transfer->buffer.type, handles.comm_self);
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
    if (call->routine == &routines[ROUTINE_Irecv])
        return pmpi.Irecv(transfer->arriving, transfer->size, handles.packed, call->source,
                          call->tag, call->comm, &transfer->handle);
    if (call->routine == &routines[ROUTINE_Recv_init])
        return pmpi.Recv_init(transfer->arriving, transfer->size, handles.packed, call->source,
                              call->tag, call->comm, &transfer->handle);
    return pmpi.Imrecv(transfer->arriving, transfer->size, handles.packed, call->message,
                       &transfer->handle);
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
    if (!make_room(transfer) || (!transfer->persistent && !hide_buffer(transfer))) {
        destroy(transfer);
        return;
    }
    int error = receive_into(transfer, call);
    replace(call, error); /* if MPI has something against the call, it has said so */
    if (error == MPI_SUCCESS) {
        call_store_request(call, call->new_request, transfer->handle);
        link_to(&transfers, transfer);
        return;
    }
    if (!transfer->persistent)
        restore_buffer(transfer);
    destroy(transfer);
}

/* The program receives into its buffer by a call of its own making that the layer knows how to make
 * otherwise. */
static bool can_receive_aside(const struct call *call)
{
    if (call->routine == &routines[ROUTINE_Irecv] || call->routine == &routines[ROUTINE_Recv_init])
        return call->source != MPI_PROC_NULL;
    /* A Fortran program keeps its message handles in another form. */
    return call->routine == &routines[ROUTINE_Imrecv] && !call->fortran;
}

/* Legal: whether a standard send waits for its receive is up to MPI (MPI-4.0 §3.4). */
static int send_synchronously(const struct call *call, MPI_Request *request)
{
    const struct call_buffer *given = &call->buffers[0];
    if (call->routine == &routines[ROUTINE_Send])
        return pmpi.Ssend(given->base, (int)given->count, given->type, call->dest, call->tag,
                          call->comm);
    if (call->routine == &routines[ROUTINE_Isend])
        return pmpi.Issend(given->base, (int)given->count, given->type, call->dest, call->tag,
                           call->comm, request);
    return pmpi.Ssend_init(given->base, (int)given->count, given->type, call->dest, call->tag,
                           call->comm, request);
}

static bool is_standard_send(const struct routine *routine)
{
    return routine == &routines[ROUTINE_Send] || routine == &routines[ROUTINE_Isend] ||
           routine == &routines[ROUTINE_Send_init];
}

/* A persistent send is remembered when it is started; this tells whether that will be possible. */
static bool remember_send(struct transfer *transfer)
{
    struct bytes bytes;
    if (!bytes_of(&bytes, &transfer->buffer))
        return false;
    if (transfer->active)
        transfer->hash = bytes_hash(&bytes);
    bytes_free(&bytes);
    return true;
}

static void start_send(struct call *call)
{
    bool synchronous =
        settings.synchronous && is_standard_send(call->routine) && call->dest != MPI_PROC_NULL;
    bool guarded =
        settings.poison && call->routine->verb != VERB_blocking && call->dest != MPI_PROC_NULL;
    struct transfer *transfer = guarded ? transfer_make(call) : NULL;
    MPI_Request request = handles.request_null;
    if (transfer && !remember_send(transfer)) {
        destroy(transfer);
        transfer = NULL;
    }
    held(call)->scheduled = transfer; /* bound to its request when there is one */
    if (!synchronous)
        return;
    int error = send_synchronously(call, &request);
    if (error == MPI_SUCCESS && call->routine != &routines[ROUTINE_Send])
        call_store_request(call, call->new_request, request);
    replace(call, error);
    if (transfer && error == MPI_SUCCESS) {
        transfer->handle = request;
        link_to(&transfers, transfer);
    } else if (transfer) {
        destroy(transfer);
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
        destroy(transfer);
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
        destroy(transfer);
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

bool transfers_write_to(uint64_t low, uint64_t high)
{
    bool any = false;
    layer_lock();
    for (int i = 0; i < 2; i++)
        for (const struct transfer *transfer = i ? orphans : transfers; transfer;
             transfer = transfer->next)
            any |= transfer->active && !transfer->delivered && transfer->low < high &&
                   low < transfer->high;
    layer_unlock();
    return any;
}

void transfer_started(struct call *call, int result)
{
    struct transfer *transfer = held(call)->scheduled;
    if (!transfer)
        return;
    held(call)->scheduled = NULL;
    if (result == MPI_SUCCESS) {
        transfer->handle = call_request_at(call, call->new_request, 0);
        link_to(&transfers, transfer);
    } else {
        if (transfer->aside && transfer->active)
            aside_undo(transfer->aside);
        destroy(transfer);
    }
}

/* ---- completion ---- */

/* What arrived goes into the buffer, behind it comes what was there before. */
static void deliver(struct transfer *transfer, const MPI_Status *status)
{
    struct bytes bytes;
    int count = 0, cancelled = 0;
    if (transfer->delivered)
        return;
    transfer->delivered = true;
    if (transfer->watched)
        return;
    if (transfer->aside) {
        aside_deliver(transfer->aside, transfer->site, transfer->routine);
        return;
    }
    if (bytes_of(&bytes, &transfer->buffer)) {
        if (!bytes_are_poison(&bytes))
            report_changed(transfer->site, transfer->routine, false, bytes.high - bytes.low);
        bytes_free(&bytes);
    }
    pmpi.Test_cancelled(status, &cancelled);
    if (!cancelled && pmpi.Get_count(status, handles.byte, &count) == MPI_SUCCESS && count > 0)
        memcpy(transfer->before, transfer->arriving,
               (size_t)(count < transfer->size ? count : transfer->size));
    restore_buffer(transfer);
    int size = transfer->size / transfer->buffer.count;
    struct buffer received = {transfer->buffer.base, count / size, transfer->buffer.type};
    if (!cancelled && count > 0 && count % size == 0 && bytes_of(&bytes, &received)) {
        fingerprint_received(transfer->site, transfer->routine, status->MPI_SOURCE, status->MPI_TAG,
                             &bytes);
        bytes_free(&bytes);
    }
}

static void look_at_send(struct transfer *transfer)
{
    struct bytes bytes;
    if (!bytes_of(&bytes, &transfer->buffer))
        return;
    if (bytes_hash(&bytes) != transfer->hash)
        report_changed(transfer->site, transfer->routine, true, bytes.high - bytes.low);
    bytes_free(&bytes);
}

static void conclude(struct transfer *transfer, const MPI_Status *status)
{
    if (transfer->concluded)
        return;
    transfer->concluded = true;
    if (transfer->is_receive || transfer->aside || transfer->watched)
        deliver(transfer, status);
    else
        look_at_send(transfer);
}

/* Another one with this request, not yet concluded; unlinked if no call asks for it. */
static struct transfer *take_alike(MPI_Request handle, bool *unlinked)
{
    layer_lock();
    struct transfer **link = &transfers;
    while (*link && ((*link)->handle != handle || (*link)->is_receive || (*link)->persistent ||
                     (*link)->concluded))
        link = &(*link)->next;
    struct transfer *transfer = *link;
    *unlinked = transfer && !transfer->asked_for;
    if (*unlinked)
        *link = transfer->next;
    layer_unlock();
    return transfer;
}

/* Sends and collectives that are complete when they are started share one request in both MPIs, so
 * that it cannot be seen which of them the program completes when. Until the first completion none
 * of their buffers may be touched; from then on all are taken for free. (Their results may be there
 * early: the program may not look yet.) */
static void conclude_alike(MPI_Request handle)
{
    bool unlinked;
    for (struct transfer *other; (other = take_alike(handle, &unlinked)) != NULL;) {
        conclude(other, NULL);
        if (unlinked)
            destroy(other);
    }
}

static void finish(struct transfer *transfer, const MPI_Status *status)
{
    if (!transfer->active)
        return; /* a persistent one that was not started is always complete */
    conclude(transfer, status);
    if (transfer->persistent) {
        transfer->active = transfer->delivered = transfer->asked_for = transfer->concluded = false;
        return;
    }
    if (!transfer->is_receive)
        conclude_alike(transfer->handle);
    unlink_from(&transfers, transfer);
    destroy(transfer);
}

/* ---- calls on requests ---- */

struct asked {
    int count;
    struct transfer *at[]; /* by index of the request; NULL: not ours */
};

static int request_count(const struct call *call)
{
    return routine_has(call->routine, ROLE_requests) ? call->nrequests : 1;
}

static MPI_Request request_at(const struct call *call, int i)
{
    if (routine_has(call->routine, ROLE_requests))
        return call_request_at(call, call->requests, i);
    if (routine_has(call->routine, ROLE_request))
        return call_request_at(call, call->request, 0);
    return call->request_value;
}

static void let_go(struct asked *asked)
{
    for (int i = 0; i < asked->count; i++)
        if (asked->at[i])
            asked->at[i]->asked_for = false;
    free(asked);
}

/* Legal: a test may find an operation not yet complete as long as repeated tests succeed in the
 * end, and MPI_Request_get_status has not told otherwise. */
static bool refuse(struct call *call, const struct asked *asked)
{
    if (!settings.late_tests || call->routine != &routines[ROUTINE_Test] || !asked->at[0] ||
        !asked->at[0]->active || asked->at[0]->delivered ||
        asked->at[0]->refusals >= REFUSALS_MOST || layer_random(2))
        return false;
    asked->at[0]->refusals++;
    *(int *)call->flag = 0; /* LOGICAL .FALSE. is 0 as well */
    replace(call, MPI_SUCCESS);
    return true;
}

/* A freed receive still delivers. Its request stays ours. */
static bool adopt(struct call *call, struct transfer *transfer)
{
    if (call->routine->verb != VERB_releases ||
        !(transfer->is_receive || transfer->aside || transfer->watched) || !transfer->active)
        return false;
    unlink_from(&transfers, transfer);
    link_to(&orphans, transfer);
    call_store_request(call, call->request, handles.request_null);
    replace(call, MPI_SUCCESS);
    return true;
}

void transfers_activate(struct call *call)
{
    for (int i = 0; transfers && i < request_count(call); i++) {
        struct transfer *transfer = claim(request_at(call, i));
        if (!transfer)
            continue;
        transfer->asked_for = false;
        transfer->active = transfer->persistent;
        if (transfer->aside)
            aside_hide(transfer->aside);
        else if (transfer->is_receive)
            hide_buffer(transfer);
        else if (!transfer->watched)
            remember_send(transfer);
    }
}

void transfers_before(struct call *call)
{
    if (!transfers)
        return;
    int count = request_count(call);
    struct asked *asked =
        calloc(1, sizeof *asked + (size_t)(count > 0 ? count : 0) * sizeof(struct transfer *));
    bool any = false;
    if (!asked)
        return;
    asked->count = count;
    for (int i = 0; i < count; i++)
        any |= (asked->at[i] = claim(request_at(call, i))) != NULL;
    if (any && call->routine->verb == VERB_releases && !adopt(call, asked->at[0])) {
        unlink_from(&transfers, asked->at[0]);
        conclude_alike(asked->at[0]->handle); /* it may be any of them that is not seen again */
        destroy(asked->at[0]);
        asked->at[0] = NULL;
        any = false;
    }
    if (!any || held(call)->replaced || refuse(call, asked)) {
        let_go(asked);
        return;
    }
    held(call)->scheduled = asked;
}

bool transfers_want_status(const struct call *call)
{
    const struct asked *asked = held(call)->scheduled;
    for (int i = 0; asked && i < asked->count; i++)
        if (asked->at[i] && asked->at[i]->is_receive)
            return true;
    return false;
}

static void finish_at(const struct call *call, struct asked *asked, int i, int status_index)
{
    MPI_Status status;
    if (i < 0 || i >= asked->count || !asked->at[i])
        return;
    if (!asked->at[i]->is_receive || call_status_at(call, status_index, &status))
        finish(asked->at[i], &status);
    asked->at[i] = NULL;
}

/* A persistent request keeps its handle; its status tells. */
static bool is_over(const struct call *call, const struct transfer *transfer, int i)
{
    MPI_Status status;
    return transfer->persistent &&
           call_status_at(call, routine_has(call->routine, ROLE_statuses) ? i : 0, &status) &&
           status.MPI_ERROR != MPI_ERR_PENDING;
}

/* Some requests failed: which ones are over shows at the program's variables. */
static void finish_after_error(const struct call *call, struct asked *asked)
{
    for (int i = 0; i < asked->count; i++)
        if (asked->at[i] &&
            (request_at(call, i) == handles.request_null || is_over(call, asked->at[i], i)))
            finish_at(call, asked, i, routine_has(call->routine, ROLE_statuses) ? i : 0);
}

static bool is_flagged(const struct call *call)
{
    return call->routine->verb == VERB_completes || call_int_at(call->flag, 0);
}

void transfers_after(struct call *call, int result)
{
    struct asked *asked = held(call)->scheduled;
    if (!asked)
        return;
    enum object which = call->routine->object;
    if (call->routine->verb == VERB_peeks) {
        MPI_Status status;
        struct transfer *transfer = asked->at[0];
        if (result == MPI_SUCCESS && call_int_at(call->flag, 0) && transfer->active &&
            (!transfer->is_receive || call_status_at(call, 0, &status))) {
            conclude(transfer, &status);
            if (!transfer->is_receive)
                conclude_alike(transfer->handle);
        }
    } else if (call->routine->verb == VERB_cancels || call->routine->verb == VERB_releases) {
        /* nothing is over yet */
    } else if (result != MPI_SUCCESS) {
        finish_after_error(call, asked);
    } else if (which == OBJECT_one) {
        if (is_flagged(call))
            finish_at(call, asked, 0, 0);
    } else if (which == OBJECT_any) {
        if (is_flagged(call))
            finish_at(call, asked, call_index_at(call, call->index, 0), 0);
    } else if (which == OBJECT_all) {
        for (int i = 0; is_flagged(call) && i < asked->count; i++)
            finish_at(call, asked, i, i);
    } else if (which == OBJECT_some) {
        for (int i = 0; i < call_int_at(call->outcount, 0); i++) /* MPI_UNDEFINED is negative */
            finish_at(call, asked, call_index_at(call, call->indices, i), i);
    }
    let_go(asked);
    held(call)->scheduled = NULL;
}

void transfers_finish(void)
{
    /* Their messages have been sent, or MPI_Finalize could not return either; a little patience for
     * those on the way. */
    for (int turns = 0; orphans && turns < FINISH_TURNS; turns++) {
        transfers_poll();
        usleep(FINISH_PAUSE);
    }
}

void transfers_poll(void)
{
    for (struct transfer *transfer = orphans, *next; transfer; transfer = next) {
        MPI_Status status;
        int flag = 0;
        next = transfer->next;
        if (pmpi.Test(&transfer->handle, &flag, &status) != MPI_SUCCESS || !flag)
            continue;
        deliver(transfer, &status);
        if (transfer->persistent)
            pmpi.Request_free(&transfer->handle);
        unlink_from(&orphans, transfer);
        destroy(transfer);
    }
}
