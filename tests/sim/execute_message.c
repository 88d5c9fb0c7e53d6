/* Messages, collectives and their requests. */
#include "execute_state.h"

/* ---- Matching ---------------------------------------------------------------------------------
 */

/* The first message of that source that nobody has: messages do not overtake each other. */
static uint32_t first_message(const struct execution *x, uint32_t from, uint32_t to, uint32_t tag)
{
    for (uint32_t m = 0; m < x->trace->message_count; m++) {
        const struct trace_message *message = &x->trace->messages[m];
        if (!x->messages[m].matched && message->from == from && message->to == to &&
            message->send->tag == tag)
            return m;
    }
    return NO_ID;
}

static uint32_t choose_message(struct execution *x, const struct receive_state *receive)
{
    const struct step *step = receive->step;
    uint32_t ranks = x->program->ranks;
    if (step->peer != PEER_ANY)
        return first_message(x, step->peer, receive->rank, step->tag);
    uint32_t start = random_below(&x->random, ranks);
    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t m = first_message(x, (start + i) % ranks, receive->rank, step->tag);
        if (m != NO_ID)
            return m;
    }
    return NO_ID;
}

/* Receives are matched in the order in which they were posted. */
static void match(struct execution *x, uint32_t rank)
{
    for (uint32_t i = 0; i < x->trace->receive_count; i++) {
        struct receive_state *receive = &x->receives[i];
        if (receive->rank != rank || receive->message != NO_ID)
            continue;
        uint32_t m = choose_message(x, receive);
        if (m == NO_ID)
            continue;
        receive->message = m;
        x->messages[m].matched = true;
        x->trace->messages[m].receive = i;
    }
}

static uint32_t send_begin(struct execution *x, struct actor *actor, const struct step *step)
{
    struct trace *trace = x->trace;
    size_t count = trace->message_count;
    TRACE_ADD(x->messages, count, x->message_capacity, (struct message_state){false});
    uint32_t id = TRACE_ADD(
        trace->messages, trace->message_count, trace->message_capacity,
        (struct trace_message){step, actor->rank, step->peer, step->what == STEP_SSEND, NO_ID});
    emit(x, actor, EVENT_SEND, id, step);
    return id;
}

static uint32_t receive_begin(struct execution *x, struct actor *actor, const struct step *step)
{
    size_t count = x->trace->receive_count;
    uint32_t id = TRACE_ADD(x->receives, count, x->receive_capacity,
                            (struct receive_state){actor->rank, step, NO_ID});
    x->trace->receive_count++;
    emit(x, actor, EVENT_RECV, id, step);
    return id;
}

/* ---- Collectives ------------------------------------------------------------------------------
 */

static uint32_t index_of(uint8_t members, uint32_t rank)
{
    return (uint32_t)__builtin_popcount(members & ((1u << rank) - 1));
}

bool collective_carries(const struct step *step, uint8_t members, uint32_t from, uint32_t to)
{
    uint32_t size = (uint32_t)__builtin_popcount(members);
    uint32_t a = index_of(members, from), b = index_of(members, to);
    bool from_zero = step->zero >> from & 1, to_zero = step->zero >> to & 1;
    switch (step->what) {
    case STEP_BARRIER:
        return true;
    case STEP_ALLREDUCE:
        return !step->zero;
    case STEP_ALLGATHER:
    case STEP_ALLTOALL:
        return !from_zero;
    case STEP_REDUCE_SCATTER:
        return !to_zero;
    case STEP_BCAST:
        return from == step->root && !step->zero;
    case STEP_SCATTER:
        return from == step->root && !to_zero;
    case STEP_REDUCE:
        return to == step->root && !step->zero;
    case STEP_GATHER:
        return to == step->root && !from_zero;
    case STEP_SCAN:
    case STEP_EXSCAN:
        return a < b && !step->zero;
    case STEP_NEIGHBOR:
        return b == (a + 1) % size && !from_zero;
    default:
        return false;
    }
}

static uint32_t collective_begin(struct execution *x, struct actor *actor, const struct step *step)
{
    struct trace *trace = x->trace;
    uint32_t number = x->collectives_entered[step->comm][actor->rank]++;
    uint32_t id = 0;
    while (id < trace->collective_count &&
           (x->collectives[id].comm != step->comm || x->collectives[id].number != number))
        id++;
    if (id == trace->collective_count) {
        size_t count = id;
        TRACE_ADD(x->collectives, count, x->collective_capacity,
                  (struct collective_state){0, step->comm, number});
        TRACE_ADD(trace->collectives, trace->collective_count, trace->collective_capacity,
                  (struct trace_collective){step});
    }
    const struct step *first = trace->collectives[id].step;
    if (first->what != step->what || first->root != step->root || first->zero != step->zero ||
        !first->slot != !step->slot) {
        illegal(x, "ranks call different collectives");
        return NO_ID;
    }
    x->collectives[id].entered |= (uint8_t)(1u << actor->rank);
    emit(x, actor, EVENT_COLLECTIVE, id, step);
    return id;
}

static bool collective_over(const struct execution *x, uint32_t id, uint32_t rank)
{
    const struct step *step = x->trace->collectives[id].step;
    uint8_t members = x->program->comms[step->comm];
    for (uint32_t r = 0; r < x->program->ranks; r++)
        if (members >> r & 1 && !(x->collectives[id].entered >> r & 1) &&
            collective_carries(step, members, r, rank))
            return false;
    return true;
}

/* ---- Steps ------------------------------------------------------------------------------------
 */

static enum progress message_begin(struct execution *x, struct actor *actor,
                                   const struct step *step, struct request_state *request)
{
    if (step_is_collective(step->what)) {
        request->kind = REQUEST_COLLECTIVE;
        if (!(x->program->comms[step->comm] >> actor->rank & 1))
            return illegal(x, "not a member of the communicator");
        request->id = collective_begin(x, actor, step);
        if (request->id == NO_ID)
            return STEP_ILLEGAL;
    } else if (step->what == STEP_RECV) {
        request->kind = REQUEST_RECV;
        request->id = receive_begin(x, actor, step);
    } else {
        if (step->peer >= x->program->ranks)
            return illegal(x, "no such peer");
        request->kind = REQUEST_SEND;
        request->id = send_begin(x, actor, step);
    }
    buffers_begin(x, actor, step, request->buffers);
    return STEP_ENTERED;
}

static enum progress message_end(struct execution *x, struct actor *actor, const struct step *step,
                                 struct request_state *request)
{
    struct trace *trace = x->trace;
    switch (request->kind) {
    case REQUEST_COLLECTIVE:
        if (!collective_over(x, request->id, actor->rank))
            return STEP_BLOCKED;
        emit(x, actor, EVENT_COLLECTIVE_DONE, request->id, step);
        break;
    case REQUEST_RECV:
        match(x, actor->rank);
        if (x->receives[request->id].message == NO_ID)
            return STEP_BLOCKED;
        emit(x, actor, EVENT_RECV_DONE, x->receives[request->id].message, step);
        break;
    case REQUEST_SEND:
        if (trace->messages[request->id].synchronous) {
            match(x, trace->messages[request->id].to);
            if (!x->messages[request->id].matched)
                return STEP_BLOCKED;
            emit(x, actor, EVENT_SEND_DONE, request->id, step);
        }
        break;
    default:
        return illegal(x, "wait for nothing");
    }
    buffers_end(x, actor, step, request->buffers);
    request->kind = REQUEST_NONE;
    return STEP_OVER;
}

/* A message from the receiver shows that it has completed the receive of a freed send. */
static void end_freed(struct execution *x, struct actor *actor, const struct step *step)
{
    struct request_state *freed = &x->requests[actor->rank][step->ends];
    if (step->ends && freed->kind == REQUEST_NONE)
        buffers_end(x, actor, step, freed->buffers);
}

enum progress message_step(struct execution *x, struct actor *actor, const struct step *step)
{
    struct request_state *request = &x->requests[actor->rank][step->slot];
    if (step->slot) {
        if (request->kind != REQUEST_NONE)
            return illegal(x, "request slot in use");
        return message_begin(x, actor, step, request) == STEP_ILLEGAL ? STEP_ILLEGAL : STEP_OVER;
    }
    request = &x->blocking[actor->rank][actor->thread];
    if (!actor->entered) {
        if (step->reads_buffer || step->writes_buffer)
            return illegal(x, "blocking calls have no buffers in use");
        actor->entered = true;
        return message_begin(x, actor, step, request);
    }
    enum progress progress = message_end(x, actor, step, request);
    if (progress == STEP_OVER)
        end_freed(x, actor, step);
    return progress;
}

enum progress request_wait(struct execution *x, struct actor *actor, const struct step *step)
{
    struct request_state *request = &x->requests[actor->rank][step->slot];
    if (request->kind != REQUEST_RMA) {
        enum progress progress = message_end(x, actor, step, request);
        if (progress == STEP_OVER)
            end_freed(x, actor, step);
        return progress;
    }
    const struct trace_operation *operation = &x->trace->operations[request->id];
    if (operation_fetches(operation->step))
        execute_pending(x, operation->step->window, operation->rank, operation->step->target, true);
    emit(x, actor, EVENT_REQUEST_DONE, request->id, step);
    buffers_end(x, actor, step, x->operations[request->id].buffers);
    x->operations[request->id].locally_done = true;
    request->kind = REQUEST_NONE;
    return STEP_OVER;
}

enum progress request_free(struct execution *x, struct actor *actor, const struct step *step)
{
    struct request_state *request = &x->requests[actor->rank][step->slot];
    if (request->kind != REQUEST_RMA && request->kind != REQUEST_SEND)
        return illegal(x, "request cannot be freed");
    if (request->kind == REQUEST_RMA)
        emit(x, actor, EVENT_REQUEST_FREE, request->id, step);
    request->kind = REQUEST_NONE;
    return STEP_OVER;
}
