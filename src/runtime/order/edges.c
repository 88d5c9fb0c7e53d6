#include "edges.h"

#include <stdlib.h>

#include "actors.h"
#include "clocks.h"
#include "collectives.h"
#include "engine/engine.h"
#include "messages.h"
#include "operations.h"
#include "rma.h"
#include "session.h"
#include "engine/table.h"

/* ---- messages that were matched by MPI_Mprobe and not yet received ---- */

struct matched {
    MPI_Message handle;
    struct receive receive;
    UT_hash_handle hh;
};

static struct matched *matches;

static MPI_Message message_of(const struct call *call, const void *message)
{
    return call->fortran ? FORTRAN_Message(message) : *(const MPI_Message *)message;
}

/* The message that a probe tells of has been sent. */
void edges_probed(struct call *call)
{
    MPI_Status status;
    if ((routine_has(call->routine, ROLE_flag) && !call_int_at(call->flag, 0)) ||
        !call_status_at(call, 0, &status))
        return;
    if (!routine_has(call->routine, ROLE_new_message)) {
        message_probed(call->comm, status.MPI_SOURCE, status.MPI_TAG);
        return;
    }
    struct matched *matched = calloc(1, sizeof *matched);
    if (!matched)
        return;
    matched->handle = message_of(call, call->new_message);
    message_matched(&matched->receive, call->comm, status.MPI_SOURCE, status.MPI_TAG);
    HASH_ADD(hh, matches, handle, sizeof matched->handle, matched);
}

/* The receive of a matched message takes over what the probe knew, and starts now. */
static void take_matched(struct call *call, struct receive *receive)
{
    MPI_Message handle = message_of(call, call->message);
    struct matched *matched;
    HASH_FIND(hh, matches, &handle, sizeof handle, matched);
    if (!matched)
        return;
    *receive = matched->receive;
    HASH_DEL(matches, matched);
    free(matched);
    message_receive(receive);
}

/* ---- point-to-point ---- */

static uint64_t send(const struct call *call, struct synchronous_send *synchronous)
{
    *synchronous = (struct synchronous_send){0};
    return message_send(call->comm, call->dest, call->tag,
                        call->routine->order == ORDER_channel_both ? synchronous : NULL);
}

static int receive_tag(const struct call *call)
{
    return routine_has(call->routine, ROLE_recvtag) ? call->recvtag : call->tag;
}

static void post(struct call *call, struct receive *receive)
{
    if (routine_has(call->routine, ROLE_message))
        take_matched(call, receive);
    else
        receive_post(receive, call->comm, call->source, receive_tag(call));
}

/* The receive is complete; `status` may be missing if source and tag were given. */
static void received(struct receive *receive, const MPI_Status *status)
{
    if (!receive->comm)
        return;
    if (!receive_is_wildcard(receive))
        receive_match(receive, receive->source, receive->tag);
    else if (status)
        receive_match(receive, status->MPI_SOURCE, status->MPI_TAG);
    else {
        session_give_up_races("the sender of a message could not be known");
        receive_forget(receive);
        return;
    }
    receive_complete(receive);
}

/* ---- operations ---- */

static void start(struct call *call, struct operation *operation)
{
    switch (call->routine->object) {
    case OBJECT_sendrecv:
        send(call, &operation->send);
        post(call, &operation->receive);
        break;
    case OBJECT_send:
        operation->sent = send(call, &operation->send);
        break;
    case OBJECT_recv:
        post(call, &operation->receive);
        break;
    case OBJECT_partitioned_send:
    case OBJECT_partitioned_recv:
        partitioned_start(&operation->end);
        break;
    case OBJECT_collective:
        operation->collective =
            operation->plan ? collective_start(operation->plan) : collective_enter(call, false);
        break;
    case OBJECT_comm:
        operation->collective = collective_enter_all(call->comm, false);
        break;
    default:
        break;
    }
}

void edges_activated(struct operation *operation)
{
    if (!operation->prepared)
        return;
    start(&operation->prepared->call, operation);
    operation->receive.request = operation->request;
    operation->receive.variable = operation->request_variable;
    operation->receive.can_be_asked = operation->has_request;
}

void edges_completed(struct operation *operation, const MPI_Status *status)
{
    int cancelled = 0;
    if (operation->cancelled && status)
        pmpi.Test_cancelled(status, &cancelled);
    if (cancelled) {
        receive_forget(&operation->receive);
        send_forget(&operation->send);
        if (operation->routine->object == OBJECT_send)
            session_give_up_races(
                "a send was cancelled: which message is which is not known any more");
    } else {
        received(&operation->receive, status);
        send_complete(&operation->send);
        if (operation->routine->object == OBJECT_partitioned_recv)
            partitioned_complete(&operation->end);
    }
    collective_leave(operation->collective);
    operation->collective = NULL;
    if (operation->routine->object == OBJECT_comm && operation->prepared)
        comm_created(call_comm(&operation->prepared->call, operation->prepared->call.new_comm),
                     operation->prepared->child_name);
    rma_request_completed(operation->rma_request);
    operation->rma_request = 0;
}

void edges_given_up(struct operation *operation)
{
    receive_forget(&operation->receive);
    send_forget(&operation->send);
    collective_forget(operation->collective);
    operation->collective = NULL;
    collective_unprepare(operation->plan);
    operation->plan = NULL;
    rma_request_freed(operation->rma_request);
    operation->rma_request = 0;
}

/* ---- communicators ---- */

static void constructor_before(struct call *call)
{
    watched(call)->collective = NULL;
    if (routine_is(call->routine, ATTRIBUTE_leaves_world)) {
        session_give_up_races(
            "processes of another MPI_COMM_WORLD take part, whose order is not known");
        return;
    }
    watched(call)->child_name = comm_child_name(call);
    if (!routine_is(call->routine, ATTRIBUTE_late))
        watched(call)->collective = collective_enter_all(call->comm, true);
}

static void constructor_after(struct call *call)
{
    collective_leave(watched(call)->collective);
    if (!routine_is(call->routine, ATTRIBUTE_late) &&
        !routine_is(call->routine, ATTRIBUTE_leaves_world))
        comm_created(call_comm(call, call->new_comm), watched(call)->child_name);
    else if (watched(call)->late)
        collective_leave(watched(call)->late);
}

void edges_exchange(struct call *call)
{
    if (call->routine->verb != VERB_creates)
        return;
    if (routine_has(call->routine, ROLE_new_win)) {
        watched(call)->members = NULL;
        if (!comm_is_foreign(call->comm))
            rma_exchange_layout(call);
        return;
    }
    watched(call)->late = NULL;
    /* Constructors that are not collective over a parent tell each other afterwards, when the
     * members are known. */
    if (!routine_has(call->routine, ROLE_new_comm) || !routine_is(call->routine, ATTRIBUTE_late))
        return;
    MPI_Comm comm = call_comm(call, call->new_comm);
    if (comm == handles.comm_null)
        return;
    bool foreign = comm_is_foreign(comm);
    if (session_can_look_for_races()) {
        session_lock();
        comm_created(comm, watched(call)->child_name);
        if (!foreign)
            watched(call)->late = collective_enter_all(comm, false);
        session_unlock();
    }
    if (!foreign)
        pmpi.Barrier(comm); /* afterwards everybody's clock is here */
}

/* ---- calls that move data ---- */

void edges_blocking(struct call *call)
{
    watched(call)->receive = NULL;
    watched(call)->collective = NULL;
    watched(call)->send.channel = NULL;
    switch (call->routine->object) {
    case OBJECT_send:
        send(call, &watched(call)->send);
        break;
    case OBJECT_sendrecv:
        send(call, &watched(call)->send);
        /* fall through */
    case OBJECT_recv:
        watched(call)->receive = &watched(call)->receive_inside;
        watched(call)->receive_inside = (struct receive){0};
        post(call, watched(call)->receive);
        break;
    case OBJECT_collective:
        watched(call)->collective = collective_enter(call, true);
        break;
    default:
        break;
    }
}

void edges_blocking_over(struct call *call, bool success)
{
    MPI_Status status;
    if (watched(call)->receive && success)
        received(watched(call)->receive, call_status_at(call, 0, &status) ? &status : NULL);
    else if (watched(call)->receive)
        receive_forget(watched(call)->receive);
    if (success) {
        send_complete(&watched(call)->send);
        collective_leave(watched(call)->collective);
    } else {
        send_forget(&watched(call)->send);
        collective_forget(watched(call)->collective);
    }
    if (success && session.engine)
        operation_blocking_written(call);
}

static void keep_arguments(const struct call *call, struct operation *operation)
{
    operation->prepared = malloc(sizeof *operation->prepared);
    if (operation->prepared)
        *operation->prepared = *watched(call);
}

void edges_start(struct call *call)
{
    struct operation *operation = watched(call)->operation;
    if (!operation)
        return;
    if (call->routine->object == OBJECT_comm) {
        watched(call)->child_name = comm_child_name(call);
        keep_arguments(call, operation);
    }
    start(call, operation);
}

void edges_prepare(struct call *call)
{
    struct operation *operation = watched(call)->operation;
    if (!operation)
        return;
    keep_arguments(call, operation);
    if (call->routine->object == OBJECT_collective)
        operation->plan = collective_prepare(call);
    else if (operation->partitioned)
        partitioned_prepare(&operation->end, call,
                            call->routine->object == OBJECT_partitioned_send);
}

/* ---- objects that come and go, the end ---- */

void edges_construct(struct call *call)
{
    if (routine_has(call->routine, ROLE_new_win))
        rma_enter_constructor(call);
    else if (routine_has(call->routine, ROLE_new_comm))
        constructor_before(call);
    else if (routine_has(call->routine, ROLE_comm)) /* MPI_File_open */
        watched(call)->collective = collective_enter_all(call->comm, true);
}

void edges_constructed(struct call *call, bool success)
{
    if (success && routine_has(call->routine, ROLE_new_comm))
        constructor_after(call);
    else
        collective_leave(watched(call)->collective);
}

void edges_free(struct call *call)
{
    watched(call)->collective = NULL;
    if (call->routine->object == OBJECT_window)
        rma_window_freeing(call);
    else if (call->routine->object == OBJECT_comm)
        comm_freed(call_comm(call, call->freed_comm));
}

void edges_freed(struct call *call)
{
    collective_leave(watched(call)->collective);
    rma_window_freed(call);
}

void edges_finalise(struct call *call)
{
    watched(call)->collective = collective_enter_all(handles.comm_world, true);
    if (transport_spans_nodes()) { /* afterwards there is no way to hear of others */
        clocks_await_all_ranks();
        collective_leave(watched(call)->collective);
        watched(call)->collective = NULL;
    }
}

void edges_finalised(struct call *call)
{
    collective_leave(watched(call)->collective);
}

/* ---- other ranks' windows ---- */

/* Also where several threads of this process may call MPI: what one of them sent may come back to
 * another. */
void edges_wake(void)
{
    if (!session.engine && (transport_is_awake() || (session_several_call && actors_are_watched())))
        session_look_for_races(false);
}

void edges_after_quick_receive(struct quick_message receive, bool success)
{
    session_lock();
    edges_wake();
    quick_receive_end(receive, success);
    session_unlock();
}

void edges_after_quick_barrier(MPI_Comm handle, bool success)
{
    session_lock();
    edges_wake();
    const struct comm *comm = comm_find(handle);
    if (success && comm)
        collective_leave_unwatched(comm);
    session_unlock();
}
