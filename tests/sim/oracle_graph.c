/* Happens-before, section 3 of the semantics page. */
#include "oracle_walk.h"

#include <stdlib.h>
#include <string.h>

void edge(struct walk *w, uint32_t from, uint32_t to)
{
    size_t words = w->graph->words;
    if (from == NEVER)
        return;
    for (size_t i = 0; i < words; i++)
        w->graph->before[to * words + i] |= w->graph->before[from * words + i];
}

void edge_by(struct walk *w, enum oracle_rule rule, uint32_t from, uint32_t to)
{
    if (graph_has(w->graph, rule))
        edge(w, from, to);
}

/* ---- Atomics as synchronisation ---------------------------------------------------------------
 */

static bool common_bytes(const struct access *a, const struct access *b)
{
    for (size_t i = 0; i < BYTE_WORDS; i++)
        if (a->bytes[i] & b->bytes[i])
            return a->owner == b->owner;
    return false;
}

/* At the bytes that the fetch shares with an update that it saw, that update is over, and so is
 * every accumulate that its thread issued there before it: MPI keeps them in order. */
static void see(struct walk *w, uint32_t update, const struct access *reader, uint32_t event)
{
    struct graph *graph = w->graph;
    const struct access *seen = &graph->accesses[w->access_of[update]];
    for (uint32_t id = 0; id < w->trace->operation_count; id++) {
        const struct trace_operation *other = &w->trace->operations[id];
        if (w->issued[id] == NEVER || w->issued[id] > w->issued[update] ||
            other->step->what < STEP_ACCUMULATE || other->rank != seen->side.rank ||
            other->thread != seen->side.thread)
            continue;
        const struct access *access = &graph->accesses[w->access_of[id]];
        struct sighting sighting = {.access = w->access_of[id], .event = event};
        if (access->owner != reader->owner)
            continue;
        for (size_t i = 0; i < BYTE_WORDS; i++)
            sighting.bytes[i] = access->bytes[i] & seen->bytes[i] & reader->bytes[i];
        TRACE_ADD(graph->sightings, graph->sighting_count, graph->sighting_capacity, sighting);
    }
}

/* The fetching operation is locally complete at `event`: what happened before the updates that it
 * saw is known now, and they are over. What their origins completed later is not known. */
static void acquire(struct walk *w, uint32_t fetch, uint32_t event)
{
    struct graph *graph = w->graph;
    const struct access *reader = &graph->accesses[w->access_of[fetch]];
    if (!access_reads_target(reader->side.kind, reader->side.op) || w->executed[fetch] == NEVER)
        return;
    for (uint32_t u = 0; u < w->trace->operation_count; u++) {
        if (w->executed[u] == NEVER || w->executed[u] >= w->executed[fetch] ||
            !w->trace->operations[u].updated ||
            !common_bytes(&graph->accesses[w->access_of[u]], reader))
            continue;
        edge_by(w, RULE_ATOMIC_ISSUE, w->issued[u], event);
        if (graph_has(graph, RULE_ATOMIC_SEEN))
            see(w, u, reader, event);
        if (w->over[u] < w->executed[fetch] && !graph_has(graph, RULE_ATOMIC_FLUSH_UNSEEN))
            edge(w, w->over[u], event);
    }
}

/* A completing call returns: it acquires for the fetching operations that it completes, and shows
 * updates as complete. A flush speaks for the thread that calls it, a call that closes the
 * epoch for the process. */
static void call_returns(struct walk *w, uint32_t event, uint32_t window, uint32_t target,
                         bool remote, bool closing)
{
    uint32_t rank = w->trace->events[event].rank, thread = w->trace->events[event].thread;
    for (uint32_t id = 0; id < w->trace->operation_count; id++) {
        const struct trace_operation *operation = &w->trace->operations[id];
        if (w->issued[id] == NEVER || operation->rank != rank ||
            operation->step->window != window ||
            (target != TARGET_ALL && operation->step->target != target) ||
            (!closing && operation->thread != thread))
            continue;
        if (w->acquired[id] == NEVER) {
            acquire(w, id, event);
            w->acquired[id] = event;
        }
        if (remote && w->over[id] == NEVER)
            w->over[id] = event;
    }
}

/* ---- Synchronisation, section 3 ---------------------------------------------------------------
 */

/* From section 3, "Collectives by data flow"; ranks count by their place in the communicator. */
static bool flows(const struct walk *w, const struct step *step, uint32_t from, uint32_t to,
                  enum oracle_rule *rule)
{
    uint8_t members = w->program->comms[step->comm];
    uint32_t next = to;
    bool zeros = graph_has(w->graph, RULE_ZERO_CONTRIBUTION);
    bool nothing = zeros && step->zero;
    bool sends_nothing = zeros && step->zero >> from & 1;
    bool gets_nothing = zeros && step->zero >> to & 1;
    switch (step->what) {
    case STEP_BARRIER:
        *rule = RULE_ALL_TO_ALL;
        return true;
    case STEP_ALLREDUCE:
        *rule = RULE_ALL_TO_ALL;
        return !nothing;
    case STEP_ALLGATHER:
    case STEP_ALLTOALL:
        *rule = RULE_ALL_TO_ALL;
        return !sends_nothing;
    case STEP_REDUCE_SCATTER:
        *rule = RULE_ALL_TO_ALL;
        return !gets_nothing;
    case STEP_BCAST:
        *rule = RULE_ROOT_TO_ALL;
        return from == step->root && !nothing;
    case STEP_SCATTER:
        *rule = RULE_ROOT_TO_ALL;
        return from == step->root && !gets_nothing;
    case STEP_REDUCE:
        *rule = RULE_ALL_TO_ROOT;
        return to == step->root && !nothing;
    case STEP_GATHER:
        *rule = RULE_ALL_TO_ROOT;
        return to == step->root && !sends_nothing;
    case STEP_SCAN:
    case STEP_EXSCAN:
        *rule = RULE_SCAN;
        return from < to && !nothing;
    default: /* the in-neighbour on the ring is the next lower member, or the last */
        *rule = RULE_NEIGHBOR;
        do
            next = (next + MAX_RANKS - 1) % MAX_RANKS;
        while (!(members >> next & 1));
        return from == next && !sends_nothing;
    }
}

static void collective_done(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    const struct step *step = w->trace->collectives[e->id].step;
    for (uint32_t r = 0; r < w->program->ranks; r++) {
        enum oracle_rule rule;
        if (!(w->program->comms[step->comm] >> r & 1) || !flows(w, step, r, e->rank, &rule))
            continue;
        if (!step->slot || graph_has(w->graph, RULE_NONBLOCKING_COLLECTIVE))
            edge_by(w, rule, w->collectives[e->id * MAX_RANKS + r], event);
    }
}

static void fence_done(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    uint32_t window = e->step->window, number = w->fence_count[window][e->rank] - 1;
    if (e->step->no_precede && graph_has(w->graph, RULE_NO_PRECEDE))
        return;
    for (uint32_t r = 0; r < w->program->ranks; r++)
        if (w->fences[window][r][number] < event)
            edge_by(w, RULE_FENCE, w->fences[window][r][number], event);
}

static void unlocking(struct walk *w, uint32_t event, const struct step *step)
{
    uint32_t rank = w->trace->events[event].rank;
    if (graph_has(w->graph, RULE_DONE_UNLOCK))
        complete_operations(w, event, step->window, step->target, MODE_LOCK, false, false);
    for (uint32_t t = 0; t < w->program->ranks; t++) {
        uint32_t epoch = w->held[step->window][rank][t];
        if (epoch != NEVER && (step->target == TARGET_ALL || step->target == t)) {
            w->graph->epochs[epoch].unlock = event;
            w->held[step->window][rank][t] = NEVER;
        }
    }
}

static void unlocked(struct walk *w, uint32_t event, const struct step *step)
{
    for (size_t i = 0; i < w->graph->epoch_count; i++) {
        struct lock_epoch *epoch = &w->graph->epochs[i];
        if (epoch->rank == w->trace->events[event].rank && epoch->window == step->window &&
            (step->target == TARGET_ALL || step->target == epoch->target) &&
            epoch->unlock != NEVER && epoch->unlocked == NEVER)
            epoch->unlocked = event;
    }
    call_returns(w, event, step->window, step->target, true, true);
}

static void group_started(struct walk *w, uint32_t rank, const struct step *step)
{
    w->started[step->window][rank] = step->members;
    for (uint32_t t = 0; t < w->program->ranks; t++)
        w->start_count[step->window][rank][t] += step->members >> t & 1;
}

/* The data that a get or fetch brings comes from after the target's post. */
static void completed(struct walk *w, uint32_t event, const struct step *step)
{
    uint32_t rank = w->trace->events[event].rank;
    for (uint32_t t = 0; t < w->program->ranks; t++)
        if (w->fetched[step->window][rank] >> t & 1)
            edge_by(w, RULE_FETCHED_AFTER_POST,
                    w->posts[step->window][t][rank][w->start_count[step->window][rank][t] - 1],
                    event);
    w->fetched[step->window][rank] = 0;
    call_returns(w, event, step->window, TARGET_ALL, false, true);
}

static void completing(struct walk *w, uint32_t event, const struct step *step)
{
    uint32_t rank = w->trace->events[event].rank;
    bool gets_only = graph_has(w->graph, RULE_COMPLETE_IS_LOCAL);
    if (graph_has(w->graph, RULE_DONE_COMPLETE_GET))
        complete_operations(w, event, step->window, TARGET_ALL, MODE_PSCW, gets_only, false);
    for (uint32_t t = 0; t < w->program->ranks; t++)
        if (w->started[step->window][rank] >> t & 1)
            w->completes[step->window][rank][t][w->start_count[step->window][rank][t] - 1] = event;
    w->started[step->window][rank] = 0;
}

static void group_posted(struct walk *w, uint32_t event, const struct step *step)
{
    uint32_t rank = w->trace->events[event].rank;
    w->posted[step->window][rank] = step->members;
    for (uint32_t o = 0; o < w->program->ranks; o++)
        if (step->members >> o & 1)
            w->posts[step->window][rank][o][w->post_count[step->window][rank][o]++] = event;
}

static void request_done(struct walk *w, uint32_t event, uint32_t id)
{
    struct access *access = &w->graph->accesses[w->access_of[id]];
    if (!graph_has(w->graph, RULE_REQUEST_IS_LOCAL) ||
        (like_get(w, access) && graph_has(w->graph, RULE_DONE_REQUEST_GET)))
        end_at(access, event);
    acquire(w, id, event);
    w->acquired[id] = event;
}

static void attach_change(struct walk *w, uint32_t event, bool on)
{
    const struct trace_event *e = &w->trace->events[event];
    for (uint64_t b = e->step->sections[0].start; b < section_end(&e->step->sections[0]); b++) {
        uint64_t *word = &w->attached[e->step->window][e->rank][b / 64];
        *word = on ? *word | (uint64_t)1 << (b % 64) : *word & ~((uint64_t)1 << (b % 64));
    }
}

static void window_event(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    const struct step *step = e->step;
    uint32_t window = step->window;
    switch (e->what) {
    case EVENT_WIN_CREATE:
        w->constructed[window][e->rank] = event;
        break;
    case EVENT_WIN_CREATE_DONE:
        for (uint32_t r = 0; r < w->program->ranks; r++)
            edge_by(w, RULE_CONSTRUCTOR, w->constructed[window][r], event);
        w->live[window] |= (uint8_t)(1u << e->rank);
        break;
    case EVENT_WIN_FREE:
        w->freed[window][e->rank] = event;
        w->live[window] &= (uint8_t)~(1u << e->rank);
        memset(w->attached[window][e->rank], 0, sizeof w->attached[window][e->rank]);
        break;
    case EVENT_WIN_FREE_DONE:
        for (uint32_t r = 0; r < w->program->ranks; r++)
            edge_by(w, RULE_WIN_FREE, w->freed[window][r], event);
        break;
    case EVENT_FENCE:
        if (graph_has(w->graph, RULE_DONE_FENCE))
            complete_operations(w, event, window, TARGET_ALL, MODE_FENCE, false, false);
        w->fences[window][e->rank][w->fence_count[window][e->rank]++] = event;
        break;
    case EVENT_FENCE_DONE:
        fence_done(w, event);
        call_returns(w, event, window, TARGET_ALL, true, true);
        break;
    case EVENT_COMPLETE_DONE:
        completed(w, event, step);
        break;
    case EVENT_FLUSH_DONE:
    case EVENT_FLUSH_LOCAL_DONE:
        call_returns(w, event, window, step->target, e->what == EVENT_FLUSH_DONE, false);
        break;
    default:
        break;
    }
}

/* All who come to a round of a barrier of threads → all who leave it. */
static void thread_barrier_done(struct walk *w, uint32_t event)
{
    const struct trace_event *leaving = &w->trace->events[event];
    for (uint32_t i = 0; i < event; i++) {
        const struct trace_event *e = &w->trace->events[i];
        if (e->what == EVENT_THREAD_BARRIER && e->rank == leaving->rank && e->id == leaving->id)
            edge_by(w, RULE_THREAD_BARRIER, i, event);
    }
}

static void walk_event(struct walk *w, uint32_t event)
{
    const struct trace_event *e = &w->trace->events[event];
    switch (e->what) {
    case EVENT_ACCESS:
        program_access(w, event);
        break;
    case EVENT_RMA:
        operation_issued(w, event);
        break;
    case EVENT_EXECUTED:
        w->executed[e->id] = event;
        break;
    case EVENT_REQUEST_DONE:
        request_done(w, event, e->id);
        break;
    case EVENT_FLUSH:
    case EVENT_FLUSH_LOCAL:
        flushed(w, event, e->step, e->what == EVENT_FLUSH_LOCAL);
        break;
    case EVENT_POST:
        group_posted(w, event, e->step);
        break;
    case EVENT_START:
        group_started(w, e->rank, e->step);
        break;
    case EVENT_COMPLETE:
        completing(w, event, e->step);
        break;
    case EVENT_WAIT_DONE:
        waited(w, event);
        break;
    case EVENT_LOCKED:
        locked(w, event);
        break;
    case EVENT_UNLOCK:
        unlocking(w, event, e->step);
        break;
    case EVENT_UNLOCK_DONE:
        unlocked(w, event, e->step);
        break;
    case EVENT_SEND:
        w->sends[e->id] = event;
        break;
    case EVENT_SEND_DONE:
        edge_by(w, RULE_SYNCHRONOUS_SEND, w->receives[w->trace->messages[e->id].receive], event);
        break;
    case EVENT_RECV:
        w->receives[e->id] = event;
        break;
    case EVENT_RECV_DONE:
        edge_by(w, RULE_MESSAGE, w->sends[e->id], event);
        break;
    case EVENT_COLLECTIVE:
        w->collectives[e->id * MAX_RANKS + e->rank] = event;
        break;
    case EVENT_COLLECTIVE_DONE:
        collective_done(w, event);
        break;
    case EVENT_ATTACH:
    case EVENT_DETACH:
        attach_change(w, event, e->what == EVENT_ATTACH);
        break;
    case EVENT_BUFFER_BEGIN:
        buffer_begins(w, event);
        break;
    case EVENT_BUFFER_END:
        buffer_ends(w, event);
        break;
    case EVENT_THREAD_CREATE:
        w->created[e->rank][e->id] = event;
        break;
    case EVENT_THREAD_BEGIN:
        edge_by(w, RULE_THREAD_CREATE, w->created[e->rank][e->id], event);
        break;
    case EVENT_THREAD_END:
        w->ended[e->rank][e->id] = event;
        break;
    case EVENT_THREAD_JOIN:
        edge_by(w, RULE_THREAD_JOIN, w->ended[e->rank][e->id], event);
        break;
    case EVENT_MUTEX_LOCK:
        edge_by(w, RULE_MUTEX, w->mutex[e->rank][e->id], event);
        break;
    case EVENT_MUTEX_UNLOCK:
        w->mutex[e->rank][e->id] = event;
        break;
    case EVENT_THREAD_BARRIER:
        break;
    case EVENT_THREAD_BARRIER_DONE:
        thread_barrier_done(w, event);
        break;
    case EVENT_SIGNAL:
        w->signal[e->rank][e->id] = event;
        break;
    case EVENT_AWAIT:
        edge_by(w, RULE_SIGNAL, w->signal[e->rank][e->id], event);
        break;
    default:
        window_event(w, event);
        break;
    }
}

/* The target's opening fence or post may come after the issue: looked up when all is known. */
static void find_openings(struct walk *w)
{
    for (size_t i = 0; i < w->graph->access_count; i++) {
        struct access *access = &w->graph->accesses[i];
        if (access->operation == NEVER)
            continue;
        if (access->mode == MODE_FENCE && graph_has(w->graph, RULE_OPENING_FENCE))
            access->opening = w->fences[access->window][access->owner][access->epoch];
        if (access->mode == MODE_PSCW && graph_has(w->graph, RULE_POST))
            access->opening =
                w->posts[access->window][access->owner][access->side.rank][access->epoch];
    }
}

static uint32_t *numbers(size_t count)
{
    uint32_t *array = malloc((count + 1) * sizeof *array);
    if (!array)
        abort();
    memset(array, 0xff, (count + 1) * sizeof *array);
    return array;
}

static struct walk *walk_new(struct graph *graph, const struct trace *trace)
{
    struct walk *w = malloc(sizeof *w);
    if (!w)
        abort();
    memset(w, 0xff, sizeof *w);
    w->graph = graph;
    w->trace = trace;
    w->program = trace->program;
    w->sends = numbers(trace->message_count);
    w->receives = numbers(trace->receive_count);
    w->collectives = numbers(trace->collective_count * MAX_RANKS);
    w->issued = numbers(trace->operation_count);
    w->executed = numbers(trace->operation_count);
    w->access_of = numbers(trace->operation_count);
    w->acquired = numbers(trace->operation_count);
    w->over = numbers(trace->operation_count);
    memset(w->live, 0, sizeof w->live);
    memset(w->attached, 0, sizeof w->attached);
    memset(w->fence_count, 0, sizeof w->fence_count);
    memset(w->post_count, 0, sizeof w->post_count);
    memset(w->start_count, 0, sizeof w->start_count);
    memset(w->started, 0, sizeof w->started);
    memset(w->fetched, 0, sizeof w->fetched);
    memset(w->posted, 0, sizeof w->posted);
    return w;
}

static void walk_free(struct walk *w)
{
    free(w->sends);
    free(w->receives);
    free(w->collectives);
    free(w->issued);
    free(w->executed);
    free(w->access_of);
    free(w->acquired);
    free(w->over);
    free(w);
}

void graph_build(struct graph *graph, const struct trace *trace, uint64_t without)
{
    memset(graph, 0, sizeof *graph);
    graph->trace = trace;
    graph->without = without;
    graph->words = trace->count / 64 + 1;
    graph->before = calloc(trace->count * graph->words + 1, sizeof *graph->before);
    if (!graph->before)
        abort();
    struct walk *w = walk_new(graph, trace);
    for (uint32_t event = 0; event < trace->count; event++) {
        const struct trace_event *e = &trace->events[event];
        graph->before[event * graph->words + event / 64] |= (uint64_t)1 << (event % 64);
        if (e->what != EVENT_EXECUTED) {
            edge(w, w->last[e->rank][e->thread], event);
            w->last[e->rank][e->thread] = event;
        }
        walk_event(w, event);
    }
    find_openings(w);
    leave_buffers_out_of_open_locks(graph);
    walk_free(w);
}

void graph_clear(struct graph *graph)
{
    for (size_t i = 0; i < graph->access_count; i++)
        free(graph->accesses[i].ends);
    free(graph->before);
    free(graph->accesses);
    free(graph->epochs);
    free(graph->sightings);
}
