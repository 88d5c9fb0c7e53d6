/* Messages, collectives, requests and threads. */
#include "generate_state.h"

/* ---- Messages ---------------------------------------------------------------------------------
 */

static void with_buffer(struct generator *g, struct step *step, bool write)
{
    if (!g->buffers || !step->slot || !chance(g, 50))
        return;
    if (write) {
        step->writes_buffer = true;
        own_buffer(g, &step->write_buffer);
    } else {
        step->reads_buffer = true;
        own_buffer(g, &step->read_buffer);
    }
}

static void remember(struct generator *g, uint32_t rank, uint32_t thread, const struct step *step)
{
    if (step->slot)
        g->requests[rank][g->request_count[rank]++] =
            (struct open_request){step->slot, (uint8_t)thread, step->group};
}

static uint8_t maybe_slot(struct generator *g, uint32_t rank, uint32_t percent)
{
    return g->request_count[rank] < MAX_OPEN_REQUESTS && chance(g, percent) ? new_slot(g, rank) : 0;
}

/* An Isend of which the request is freed at once; the receiver's answer shows that it is over. */
static void freed_send(struct generator *g, uint32_t from, uint32_t to)
{
    uint32_t group = ++g->group, tag = ++g->tag, answer = ++g->tag;
    struct step step = {.what = STEP_SEND,
                        .peer = (uint8_t)to,
                        .tag = (uint16_t)tag,
                        .slot = new_slot(g, from),
                        .group = group};
    if (!step.slot)
        return;
    step.reads_buffer = true;
    own_buffer(g, &step.read_buffer);
    append(g, from, 0, step);
    append(g, from, 0, (struct step){.what = STEP_REQUEST_FREE, .slot = step.slot, .group = group});
    append(g, to, 0,
           (struct step){
               .what = STEP_RECV, .peer = (uint8_t)from, .tag = (uint16_t)tag, .group = group});
    append(g, to, 0,
           (struct step){
               .what = STEP_SEND, .peer = (uint8_t)from, .tag = (uint16_t)answer, .group = group});
    some_accesses(g, 2);
    append(g, from, 0,
           (struct step){.what = STEP_RECV,
                         .peer = (uint8_t)to,
                         .tag = (uint16_t)answer,
                         .group = group,
                         .ends = step.slot});
}

void message(struct generator *g)
{
    uint32_t from = below(g, g->program->ranks), to = below(g, g->program->ranks);
    uint32_t sender = mpi_thread(g, from), receiver = mpi_thread(g, to);
    if (from == to && (!with_threads(g) || sender == receiver))
        return;
    if (g->buffers && from != to && chance(g, 8)) {
        freed_send(g, from, to);
        return;
    }
    struct step send = {.what = chance(g, 25) ? STEP_SSEND : STEP_SEND,
                        .peer = (uint8_t)to,
                        .tag = (uint16_t)++g->tag,
                        .group = ++g->group};
    struct step receive = {
        .what = STEP_RECV, .peer = (uint8_t)from, .tag = send.tag, .group = send.group};
    send.slot = maybe_slot(g, from, 30);
    receive.slot = maybe_slot(g, to, 30);
    with_buffer(g, &send, false);
    with_buffer(g, &receive, true);
    /* The receive may be posted first or last: a blocking synchronous send needs nothing but that
     * it comes at all. */
    append(g, from, sender, send);
    append(g, to, receiver, receive);
    remember(g, from, sender, &send);
    remember(g, to, receiver, &receive);
}

void buffer_from_here(struct generator *g, uint32_t rank, uint32_t thread)
{
    uint32_t peer = below(g, g->program->ranks);
    struct step here = {.peer = (uint8_t)peer, .tag = (uint16_t)++g->tag, .group = ++g->group};
    struct step there = {.peer = (uint8_t)rank, .tag = here.tag, .group = here.group};
    bool receives = chance(g, 50);
    if (peer == rank || g->request_count[rank] == MAX_OPEN_REQUESTS)
        return;
    here.slot = new_slot(g, rank);
    if (!here.slot)
        return;
    here.what = receives ? STEP_RECV : STEP_SEND;
    there.what = receives ? STEP_SEND : STEP_RECV;
    here.reads_buffer = !receives;
    here.writes_buffer = receives;
    own_buffer(g, receives ? &here.write_buffer : &here.read_buffer);
    append(g, rank, thread, here);
    append(g, peer, 0, there);
    if (!receives && chance(g, 40)) /* at once; a standard send waits for nobody */
        append(g, rank, thread,
               (struct step){.what = STEP_WAIT, .slot = here.slot, .group = here.group});
    else
        remember(g, rank, thread, &here);
}

/* Several senders, one tag that nobody else uses, one receiver that takes what comes. */
void wildcard_messages(struct generator *g)
{
    uint32_t to = below(g, g->program->ranks), count = 0, group = ++g->group, tag = ++g->tag;
    if (order_free(g))
        return;
    for (uint32_t from = 0; from < g->program->ranks; from++) {
        if (from == to || chance(g, 30))
            continue;
        append(g, from, mpi_thread(g, from),
               (struct step){.what = chance(g, 20) ? STEP_SSEND : STEP_SEND,
                             .peer = (uint8_t)to,
                             .tag = (uint16_t)tag,
                             .group = group});
        count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        append(g, to, 0,
               (struct step){
                   .what = STEP_RECV, .peer = PEER_ANY, .tag = (uint16_t)tag, .group = group});
        if (chance(g, 50))
            own_access(g, to, 0);
    }
}

/* ---- Collectives ------------------------------------------------------------------------------
 */

void collective(struct generator *g)
{
    uint32_t comm = chance(g, 60) ? 0 : below(g, MAX_COMMS);
    uint8_t members = g->program->comms[comm];
    if (!members)
        return;
    struct step step = {.what = STEP_BARRIER + below(g, STEP_NEIGHBOR - STEP_BARRIER + 1),
                        .comm = (uint8_t)comm,
                        .group = ++g->group};
    step.root = (uint8_t)any_member(g, members);
    if (step.what != STEP_BARRIER && chance(g, 20))
        step.zero = members & (uint8_t)(1 + below(g, 255));
    bool nonblocking = chance(g, 25);
    for (uint32_t r = 0; r < g->program->ranks && nonblocking; r++)
        if (members >> r & 1 &&
            (g->request_count[r] == MAX_OPEN_REQUESTS || g->slots[r] + 2 >= MAX_SLOTS))
            nonblocking = false;
    for (uint32_t r = 0; r < g->program->ranks; r++) {
        struct step mine = step;
        if (!(members >> r & 1))
            continue;
        if (nonblocking) {
            mine.slot = new_slot(g, r);
            with_buffer(g, &mine, false);
            with_buffer(g, &mine, true);
        }
        append(g, r, 0, mine);
        remember(g, r, 0, &mine);
    }
}

/* ---- Requests ---------------------------------------------------------------------------------
 */

static void settle_nth(struct generator *g, uint32_t rank, uint32_t n)
{
    struct open_request request = g->requests[rank][n];
    g->requests[rank][n] = g->requests[rank][--g->request_count[rank]];
    uint32_t thread = waiting_thread(g, rank, request.thread);
    append(g, rank, thread,
           (struct step){.what = STEP_WAIT, .slot = request.slot, .group = request.group});
    if (thread != request.thread && chance(g, 50))
        thread_signal(g, rank, thread, request.thread);
}

void settle_request(struct generator *g, uint32_t rank)
{
    if (g->request_count[rank])
        settle_nth(g, rank, below(g, g->request_count[rank]));
}

void settle_requests_of(struct generator *g, uint32_t rank, uint32_t thread)
{
    for (uint32_t n = g->request_count[rank]; n-- > 0;)
        if (g->requests[rank][n].thread == thread)
            settle_nth(g, rank, n);
}

/* ---- Threads ----------------------------------------------------------------------------------
 */

void thread_begins(struct generator *g, uint32_t rank)
{
    uint32_t child = g->created[rank] + 1u;
    if (!g->threads || child >= MAX_THREADS)
        return;
    g->created[rank] = (uint8_t)child;
    g->alive[rank] |= (uint8_t)(1u << child);
    append(g, rank, 0, (struct step){.what = STEP_THREAD_CREATE, .number = (uint8_t)child});
    if (g->program->implicit_world)
        return;
    for (uint32_t w = 0; w < MAX_WINDOWS; w++) {
        struct rank_window *state = &g->windows[w][rank];
        if (!(g->live >> w & 1) || !(g->program->windows[w].members >> rank & 1))
            continue;
        if (state->held || state->started || (state->fence_open && g->mode[w] == MODE_FENCES)) {
            if (chance(g, 70))
                state->users |= (uint8_t)(1u << child);
        } else if (g->mode[w] == MODE_LOCKS && !state->reserved && chance(g, 40)) {
            state->reserved = (uint8_t)child;
        }
    }
}

void thread_ends(struct generator *g, uint32_t rank, uint32_t child)
{
    if (!child || !(g->alive[rank] >> child & 1))
        return;
    settle_requests_of(g, rank, child);
    append(g, rank, 0, (struct step){.what = STEP_THREAD_JOIN, .number = (uint8_t)child});
    g->alive[rank] &= (uint8_t)~(1u << child);
    for (uint32_t w = 0; w < MAX_WINDOWS; w++) {
        g->windows[w][rank].users &= (uint8_t)~(1u << child);
        if (g->windows[w][rank].reserved == child)
            g->windows[w][rank].reserved = 0;
    }
}

/* Nothing that could wait happens inside. */
void mutex_section(struct generator *g)
{
    uint32_t rank = below(g, g->program->ranks), mutex = below(g, 2);
    if (order_free(g) || !g->alive[rank])
        return;
    for (uint32_t t = 0; t < MAX_THREADS; t++) {
        if (t && !(g->alive[rank] >> t & 1))
            continue;
        uint32_t group = ++g->group;
        append(g, rank, t,
               (struct step){.what = STEP_MUTEX_LOCK, .number = (uint8_t)mutex, .group = group});
        for (uint32_t i = 1 + below(g, 2); i > 0; i--) {
            if ((t && g->program->implicit_world) || chance(g, 60) || !remote_access(g, rank, t))
                own_access(g, rank, t);
        }
        append(g, rank, t,
               (struct step){.what = STEP_MUTEX_UNLOCK, .number = (uint8_t)mutex, .group = group});
    }
}
