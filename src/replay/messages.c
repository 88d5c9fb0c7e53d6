/* Messages between two processes. Standard sends are buffered: they never wait. */
#include "mpi.h"

static bool is_synchronous(const struct routine *routine)
{
    return routine->order == ORDER_channel_both;
}

static bool fits(const struct message *message, const struct comm *comm, const struct process *to,
                 int source, int tag, const struct numbers *numbers)
{
    return !message->taken && message->comm == comm && message->destination == to &&
           (source == numbers->any_source || source == message->from) &&
           (tag == numbers->any_tag || tag == message->tag);
}

bool mpi_has_messages(const struct world *w)
{
    return w->mpi->messages.n > 0;
}

/* The receive is over, and with it a synchronous send. */
static void arrive(struct world *w, struct message *message, struct request *receive)
{
    payload_write(w, &message->payload, &receive->sections);
    receive->complete = true;
    receive->source = message->from;
    receive->got_tag = message->tag;
    receive->bytes = message->payload.size;
    receive->clock = message->clock;
    if (message->send) {
        message->send->complete = true;
        message->send->clock = bytes_copy(receive->start.data, receive->start.size);
    }
    payload_free(&message->payload);
    free(message);
}

static void remove_message(struct mpi *mpi, size_t i)
{
    memmove(&mpi->messages.at[i], &mpi->messages.at[i + 1],
            (mpi->messages.n - i - 1) * sizeof *mpi->messages.at);
    mpi->messages.n--;
}

static void post_receive(struct call *c, struct request *receive)
{
    struct mpi *mpi = c->w->mpi;
    for (size_t i = 0; i < mpi->messages.n; i++)
        if (fits(mpi->messages.at[i], receive->comm, receive->process, receive->peer, receive->tag,
                 &mpi->numbers)) {
            struct message *message = mpi->messages.at[i];
            remove_message(mpi, i);
            arrive(c->w, message, receive);
            return;
        }
    ADD(&mpi->receives, receive);
}

static void send_message(struct call *c, struct request *send)
{
    struct mpi *mpi = c->w->mpi;
    struct message *message = zeroed(1, sizeof *message);
    message->comm = send->comm;
    message->from = rank_in(send->comm, c->p->rank);
    message->to = send->peer;
    message->tag = send->tag;
    message->destination = &c->w->processes[send->comm->ranks[send->peer]];
    message->payload = payload_read(c->w, &send->sections);
    message->clock = clock_now(c->p);
    if (send->synchronous)
        message->send = send;
    else
        send->complete = true;
    for (size_t i = 0; i < mpi->receives.n; i++) {
        struct request *receive = mpi->receives.at[i];
        if (!fits(message, receive->comm, receive->process, receive->peer, receive->tag,
                  &mpi->numbers))
            continue;
        memmove(&mpi->receives.at[i], &mpi->receives.at[i + 1],
                (mpi->receives.n - i - 1) * sizeof *mpi->receives.at);
        mpi->receives.n--;
        arrive(c->w, message, receive);
        return;
    }
    ADD(&mpi->messages, message);
}

/* Fills in the request from the arguments of the call (of that which made a persistent one). */
static bool read_arguments(struct call *c, struct request *request, int buffer, enum role peer,
                           enum role tag, bool need_comm)
{
    const struct routine *routine = c->function->routine;
    const struct routine_buffer *shape = &routine->buffers[buffer];
    const struct datatype *type;
    int64_t count = number_at(c, shape->count), who = need_comm ? number_with(c, peer) : 0;
    uint64_t address = address_at(c, shape->argument);
    request->comm = need_comm ? comm_with(c) : NULL;
    request->tag = need_comm ? (int)number_with(c, tag) : 0;
    if (failed(c) || !type_of(c, address_at(c, shape->type), &type))
        return false;
    request->peer = (int)who;
    if (need_comm && who != c->w->mpi->numbers.proc_null &&
        !(peer == ROLE_source && who == c->w->mpi->numbers.any_source) &&
        (who < 0 || who >= request->comm->size)) {
        wrong(c);
        return false;
    }
    request->sections.n = 0;
    if (who != c->w->mpi->numbers.proc_null || !need_comm)
        type_sections(c, type, address, count, &request->sections);
    if (!failed(c) && !sections_alive(c->w, c->p, &request->sections))
        stop(c->w, c->p, "a buffer that is not the program's memory");
    return !failed(c);
}

static void start_send(struct call *c, struct request *request)
{
    if (request->peer == c->w->mpi->numbers.proc_null) {
        request->complete = true;
        return;
    }
    send_message(c, request);
}

static void start_receive(struct call *c, struct request *request)
{
    free(request->start.data);
    request->start = clock_now(c->p);
    if (request->peer == c->w->mpi->numbers.proc_null) {
        request->complete = true;
        request->source = c->w->mpi->numbers.proc_null;
        request->got_tag = c->w->mpi->numbers.any_tag;
        request->bytes = 0;
        return;
    }
    post_receive(c, request);
}

/* A nonblocking call or an activation: the buffer is in use from here on. */
void message_start(struct call *c, struct request *request)
{
    bool send = request->kind == REQUEST_SEND;
    request->active = true;
    request->complete = false;
    c->w->interesting = true;
    if (request->sections.n)
        request->uses[0] = judge_use(c->w, c->p, request->sections.at, request->sections.n, !send,
                                     request->site, request->routine);
    if (send)
        start_send(c, request);
    else
        start_receive(c, request);
}

/* ---- Probes ---- */

static enum outcome probe(struct call *c)
{
    struct mpi *mpi = c->w->mpi;
    const struct routine *routine = c->function->routine;
    struct comm *comm = comm_with(c);
    int64_t source = number_with(c, ROLE_source), tag = number_with(c, ROLE_tag);
    int flag = argument_with(c, ROLE_flag), matched = argument_with(c, ROLE_new_message);
    if (failed(c) || source == mpi->numbers.proc_null)
        return STOPS;
    (void)routine;
    for (size_t i = 0; i < mpi->messages.n; i++) {
        struct message *message = mpi->messages.at[i];
        if (!fits(message, comm, c->p, (int)source, (int)tag, &mpi->numbers))
            continue;
        learn(c->p, &message->clock);
        write_status(c, address_with(c, ROLE_status), message->from, message->tag,
                     message->payload.size);
        if (flag >= 0)
            store_number(c, address_at(c, flag), 4, 1);
        if (matched >= 0) {
            message->taken = true;
            remove_message(mpi, i);
            store_handle(c, address_at(c, matched), KIND_MESSAGE, ADD(&mpi->probed, message));
        }
        return failed(c) ? STOPS : OVER;
    }
    if (flag < 0)
        return WAITS;
    c->p->spins++;
    store_number(c, address_at(c, flag), 4, 0);
    return failed(c) ? STOPS : OVER;
}

static enum outcome receive_matched(struct call *c, bool blocking)
{
    struct mpi *mpi = c->w->mpi;
    uint64_t where = address_with(c, ROLE_message);
    int number = failed(c) ? -1 : object_of(c, KIND_MESSAGE, handle_in(c, where));
    if (failed(c) || number < 0 || !mpi->probed.at[number])
        return STOPS;
    struct request *request = request_new(c, REQUEST_RECV);
    if (!read_arguments(c, request, 0, ROLE_source, ROLE_tag, false))
        return STOPS;
    request->active = true;
    request->start = clock_now(c->p);
    if (!blocking && request->sections.n)
        request->uses[0] = judge_use(c->w, c->p, request->sections.at, request->sections.n, true,
                                     request->site, request->routine);
    arrive(c->w, mpi->probed.at[number], request);
    mpi->probed.at[number] = NULL;
    store_null(c, where, KIND_MESSAGE);
    if (!blocking) {
        store_handle(c, address_with(c, ROLE_new_request), KIND_REQUEST, request->number);
        return failed(c) ? STOPS : OVER;
    }
    learn(c->p, &request->clock);
    judge_sections(c->w, c->p, request->sections.at, request->sections.n, true, request->site,
                   request->routine);
    request_finish(c, request, address_with(c, ROLE_status));
    return failed(c) ? STOPS : OVER;
}

/* ---- Calls ---- */

/* Blocking calls: phase 1 waits for both halves. */
static enum outcome blocking(struct call *c, bool send, bool receive)
{
    const struct routine *routine = c->function->routine;
    struct mpi *mpi = c->w->mpi;
    if (c->p->phase == 0) {
        struct request *out = send ? request_new(c, REQUEST_SEND) : NULL;
        struct request *in = receive ? request_new(c, REQUEST_RECV) : NULL;
        bool replace = send && receive && routine->nbuffers == 1;
        if (out && !read_arguments(c, out, 0, ROLE_dest, ROLE_tag, true))
            return STOPS;
        if (in && !read_arguments(c, in, send && !replace ? 1 : 0, ROLE_source,
                                  send ? ROLE_recvtag : ROLE_tag, true))
            return STOPS;
        c->w->interesting = true;
        if (out) {
            out->active = true;
            judge_sections(c->w, c->p, out->sections.at, out->sections.n, false, out->site,
                           routine);
            out->synchronous = is_synchronous(routine);
            start_send(c, out);
        }
        if (in) {
            in->active = true;
            start_receive(c, in);
        }
        if (failed(c))
            return STOPS;
        c->p->pending =
            (out ? (uint64_t)out->number + 1 : 0) << 32 | (in ? (uint64_t)in->number + 1 : 0);
        c->p->phase = 1;
    }
    struct request *out = c->p->pending >> 32 ? mpi->requests.at[(c->p->pending >> 32) - 1] : NULL;
    struct request *in =
        (uint32_t)c->p->pending ? mpi->requests.at[(uint32_t)c->p->pending - 1] : NULL;
    if ((out && !out->complete) || (in && !in->complete))
        return WAITS;
    if (out)
        request_finish(c, out, mpi->numbers.status_ignore);
    if (in) {
        learn(c->p, &in->clock);
        judge_sections(c->w, c->p, in->sections.at, in->sections.n, true, in->site, routine);
        request_finish(c, in, address_with(c, ROLE_status));
    }
    return failed(c) ? STOPS : OVER;
}

enum outcome message_call(struct call *c)
{
    const struct routine *routine = c->function->routine;
    bool send = routine->object != OBJECT_recv, receive = routine->object != OBJECT_send;
    if (routine->verb == VERB_probes)
        return probe(c);
    if (routine->large)
        return STOPS;
    if (routine_has(routine, ROLE_message))
        return receive_matched(c, routine->verb == VERB_blocking);
    if (routine->verb == VERB_blocking)
        return blocking(c, send, receive);
    if (send && receive)
        return STOPS; /* MPI_Isendrecv */
    struct request *request = request_new(c, send ? REQUEST_SEND : REQUEST_RECV);
    if (!read_arguments(c, request, 0, send ? ROLE_dest : ROLE_source, ROLE_tag, true))
        return STOPS;
    request->synchronous = send && is_synchronous(routine);
    request->persistent = routine->verb == VERB_prepares;
    if (!request->persistent)
        message_start(c, request);
    store_handle(c, address_with(c, ROLE_new_request), KIND_REQUEST, request->number);
    return failed(c) ? STOPS : OVER;
}

/* MPI_Reduce_local: two buffers of the process itself. */
enum outcome local_call(struct call *c)
{
    const struct datatype *type;
    section_row from = {0}, to = {0};
    int64_t count = number_at(c, 2);
    uint64_t in = address_at(c, 0), out = address_at(c, 1);
    int op = object_of(c, KIND_OP, address_at(c, 4));
    site_t site = site_here(c->w, c->p, c->function->routine, NULL);
    if (failed(c) || strcmp(c->function->routine->name, "MPI_Reduce_local") ||
        !type_of(c, address_at(c, 3), &type))
        return STOPS;
    type_sections(c, type, in, count, &from);
    type_sections(c, type, out, count, &to);
    if (!failed(c) && (!sections_alive(c->w, c->p, &from) || !sections_alive(c->w, c->p, &to)))
        stop(c->w, c->p, "a buffer that is not the program's memory");
    if (!failed(c)) {
        judge_sections(c->w, c->p, from.at, from.n, false, site, c->function->routine);
        judge_sections(c->w, c->p, to.at, to.n, true, site, c->function->routine);
        struct payload more = payload_read(c->w, &from), sum = payload_read(c->w, &to);
        payload_reduce(&sum, &more, op < 0 ? OP_UNKNOWN : op, type);
        payload_write(c->w, &sum, &to);
        payload_free(&more);
        payload_free(&sum);
    }
    EMPTY(&from);
    EMPTY(&to);
    return failed(c) ? STOPS : OVER;
}
