/* Mail, clocks, and the synchronising calls. */
#include "drive_state.h"

#include <stdlib.h>
#include <string.h>

struct bytes bytes_copy(const void *data, size_t size)
{
    struct bytes bytes = {malloc(size + 1), size};
    if (!bytes.data)
        abort();
    if (size)
        memcpy(bytes.data, data, size);
    return bytes;
}

void bytes_set(struct bytes *bytes, const void *data, size_t size)
{
    free(bytes->data);
    *bytes = bytes_copy(data, size);
}

void drive_complain(struct driver *d, const char *complaint)
{
    if (!d->result->complaint)
        d->result->complaint = complaint;
}

/* ---- Mail -------------------------------------------------------------------------------------
 */

struct engine_context {
    struct driver *driver;
    uint32_t rank;
};

static void mail_add(struct mail_queue *queue, struct mail mail)
{
    TRACE_ADD(queue->mails, queue->count, queue->capacity, mail);
}

static void deliver(void *context, uint32_t target, const void *batch, size_t size)
{
    struct engine_context *c = context;
    if (target == c->rank || target >= c->driver->program->ranks)
        drive_complain(c->driver, "a batch for a rank that cannot get one");
    else
        mail_add(&c->driver->under_way[c->rank], (struct mail){target, bytes_copy(batch, size)});
}

void settle(struct driver *d, uint32_t rank)
{
    struct mail_queue *queue = &d->under_way[rank];
    for (size_t i = 0; i < queue->count; i++)
        mail_add(&d->mailboxes[queue->mails[i].target], queue->mails[i]);
    queue->count = 0;
}

void take_in(struct driver *d, uint32_t rank)
{
    struct mail_queue *queue = &d->mailboxes[rank];
    for (size_t i = 0; i < queue->count; i++) {
        struct bytes *batch = &queue->mails[i].batch;
        if (!engine_take_in(d->engines[rank], batch->data, batch->size))
            drive_complain(d, "a batch was refused");
        free(batch->data);
    }
    queue->count = 0;
}

/* ---- Clocks -----------------------------------------------------------------------------------
 */

/* Whatever is given out after a batch must not be seen before it. */
struct bytes clock_of(struct driver *d, uint32_t rank, uint32_t thread)
{
    size_t size;
    const void *clock = engine_clock_send(d->engines[rank], thread, &size);
    struct bytes copy = bytes_copy(clock, size);
    settle(d, rank);
    return copy;
}

static void learn_join(struct driver *d, uint32_t rank, uint32_t thread, const struct bytes *clocks,
                       size_t count)
{
    struct clock all = CLOCK_EMPTY;
    for (size_t i = 0; i < count; i++) {
        struct clock one = CLOCK_EMPTY;
        if (!clock_decode(&one, clocks[i].data, clocks[i].size))
            drive_complain(d, "a clock was refused");
        clock_join(&all, &one);
        clock_clear(&one);
    }
    void *encoded = malloc(clock_encoded_bound(&all));
    if (!encoded)
        abort();
    size_t size = clock_encode(&all, encoded);
    if (!engine_clock_receive(d->engines[rank], thread, encoded, size))
        drive_complain(d, "a joined clock was refused");
    free(encoded);
    clock_clear(&all);
}

void learn(struct driver *d, uint32_t rank, uint32_t thread, const struct bytes *clocks,
           size_t count)
{
    take_in(d, rank);
    if (count > 1 && random_chance(&d->random, 30)) {
        learn_join(d, rank, thread, clocks, count);
        return;
    }
    size_t start = count ? random_below(&d->random, (uint32_t)count) : 0;
    for (size_t i = 0; i < count; i++) {
        const struct bytes *clock = &clocks[(start + i) % count];
        if (!engine_clock_receive(d->engines[rank], thread, clock->data, clock->size))
            drive_complain(d, "a clock was refused");
    }
}

static bool whole_world(const struct driver *d, uint8_t members)
{
    return d->program->implicit_world && members == d->program->comms[0];
}

/* An all-to-all synchronisation of `members`, entry and return; clocks of those who have entered.
 */
static void enter_all(struct driver *d, const struct trace_event *event, uint8_t members,
                      struct bytes *clock)
{
    if (whole_world(d, members))
        engine_world_enter(d->engines[event->rank]);
    else
        *clock = clock_of(d, event->rank, event->thread);
    settle(d, event->rank);
}

static void leave_all(struct driver *d, const struct trace_event *event, uint8_t members,
                      const struct bytes *clocks, size_t spacing)
{
    struct bytes known[MAX_RANKS];
    size_t count = 0;
    take_in(d, event->rank);
    if (whole_world(d, members)) {
        engine_world_leave(d->engines[event->rank]);
        return;
    }
    for (uint32_t r = 0; r < d->program->ranks; r++)
        if (members >> r & 1)
            known[count++] = clocks[r * spacing];
    learn(d, event->rank, event->thread, known, count);
}

/* ---- Collectives ------------------------------------------------------------------------------
 */

static bool synchronises_world(const struct driver *d, const struct step *step)
{
    return whole_world(d, d->program->comms[step->comm]) && !step->slot && !step->zero &&
           step->what >= STEP_BARRIER && step->what <= STEP_REDUCE_SCATTER;
}

static void drive_collective(struct driver *d, const struct trace_event *event)
{
    const struct step *step = d->trace->collectives[event->id].step;
    uint8_t members = d->program->comms[step->comm];
    struct bytes *clocks = &d->collective_clocks[event->id * MAX_RANKS];
    struct bytes known[MAX_RANKS];
    size_t count = 0;
    if (event->what == EVENT_COLLECTIVE) {
        if (synchronises_world(d, step))
            enter_all(d, event, members, NULL);
        else
            clocks[event->rank] = clock_of(d, event->rank, event->thread);
        return;
    }
    if (synchronises_world(d, step)) {
        leave_all(d, event, members, NULL, 0);
        return;
    }
    for (uint32_t r = 0; r < d->program->ranks; r++)
        if (members >> r & 1 && collective_carries(step, members, r, event->rank))
            known[count++] = clocks[r];
    learn(d, event->rank, event->thread, known, count);
}

/* ---- Windows ----------------------------------------------------------------------------------
 */

static void window_created(struct driver *d, const struct trace_event *event)
{
    const struct program_window *window = &d->program->windows[event->id];
    bool dynamic = window->kind == WINDOW_DYNAMIC;
    const struct window_info info = {.same_op = window->same_op, .dynamic = dynamic};
    engine_window_create(d->engines[event->rank], window_name(event->id),
                         dynamic ? 0 : d->program->base[event->rank] + window->at[event->rank],
                         dynamic ? 0 : window->size[event->rank], &info);
    d->constructing[event->rank] = false;
    leave_all(d, event, window->members, d->create_clocks[event->id], 1);
}

static void drive_window(struct driver *d, const struct trace_event *event)
{
    struct engine *engine = d->engines[event->rank];
    uint8_t members = d->program->windows[event->id].members;
    uint64_t address = d->program->base[event->rank] + event->step->sections[0].start;
    switch (event->what) {
    case EVENT_WIN_CREATE:
        d->constructing[event->rank] = true;
        enter_all(d, event, members, &d->create_clocks[event->id][event->rank]);
        break;
    case EVENT_WIN_CREATE_DONE:
        window_created(d, event);
        break;
    case EVENT_WIN_FREE:
        engine_window_free(engine, event->thread, window_name(event->id));
        enter_all(d, event, members, &d->free_clocks[event->id][event->rank]);
        break;
    case EVENT_WIN_FREE_DONE:
        leave_all(d, event, members, d->free_clocks[event->id], 1);
        engine_window_gone(engine, window_name(event->id));
        break;
    case EVENT_ATTACH:
        engine_window_attach(engine, event->thread, window_name(event->id), address,
                             event->step->sections[0].length);
        break;
    default:
        engine_window_detach(engine, event->thread, window_name(event->id), address);
        break;
    }
}

static void drive_fence(struct driver *d, const struct trace_event *event)
{
    uint32_t window = event->id, rank = event->rank;
    uint8_t members = d->program->windows[window].members;
    if (event->what == EVENT_FENCE) {
        engine_fence(d->engines[rank], event->thread, window_name(window), event->step->no_precede,
                     NULL);
        settle(d, rank);
        if (!event->step->no_precede)
            enter_all(d, event, members, &d->fence_clocks[window][rank][d->fences[window][rank]]);
        d->fences[window][rank]++;
        return;
    }
    if (!event->step->no_precede)
        leave_all(d, event, members, &d->fence_clocks[window][0][d->fences[window][rank] - 1],
                  EPOCHS);
    drive_returned(d, event, TARGET_ALL, true, true);
}

static size_t ranks_of(uint8_t set, uint32_t ranks[MAX_RANKS])
{
    size_t count = 0;
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        if (set >> r & 1)
            ranks[count++] = r;
    return count;
}

/* ---- Post, start, complete, wait --------------------------------------------------------------
 */

static void drive_post(struct driver *d, const struct trace_event *event)
{
    uint32_t window = event->id, rank = event->rank, group[MAX_RANKS];
    size_t count = ranks_of(event->step->members, group);
    engine_post(d->engines[rank], event->thread, window_name(window), group, count, NULL);
    d->posted[window][rank] = event->step->members;
    for (size_t i = 0; i < count; i++)
        d->post_clocks[window][rank][group[i]][d->posts[window][rank][group[i]]++] =
            clock_of(d, rank, event->thread);
}

static void drive_start(struct driver *d, const struct trace_event *event)
{
    uint32_t window = event->id, rank = event->rank, group[MAX_RANKS];
    size_t count = ranks_of(event->step->members, group);
    engine_start(d->engines[rank], event->thread, window_name(window), group, count);
    d->started[window][rank] = event->step->members;
    for (size_t i = 0; i < count; i++)
        d->starts[window][rank][group[i]]++;
}

static void drive_complete(struct driver *d, const struct trace_event *event)
{
    uint32_t window = event->id, rank = event->rank, group[MAX_RANKS];
    if (event->what == EVENT_COMPLETE) {
        size_t count = ranks_of(d->started[window][rank], group);
        engine_complete(d->engines[rank], event->thread, window_name(window));
        settle(d, rank);
        for (size_t i = 0; i < count; i++)
            d->complete_clocks[window][rank][group[i]][d->starts[window][rank][group[i]] - 1] =
                clock_of(d, rank, event->thread);
        return;
    }
    size_t count = ranks_of(d->fetched[window][rank], group);
    for (size_t i = 0; i < count; i++)
        learn(d, rank, event->thread,
              &d->post_clocks[window][group[i]][rank][d->starts[window][rank][group[i]] - 1], 1);
    d->fetched[window][rank] = 0;
    drive_returned(d, event, TARGET_ALL, false, true);
}

static void drive_wait(struct driver *d, const struct trace_event *event)
{
    uint32_t window = event->id, rank = event->rank, group[MAX_RANKS];
    size_t count = ranks_of(d->posted[window][rank], group);
    take_in(d, rank);
    engine_wait(d->engines[rank], event->thread, window_name(window));
    for (size_t i = 0; i < count; i++)
        learn(d, rank, event->thread,
              &d->complete_clocks[window][group[i]][rank][d->posts[window][rank][group[i]] - 1], 1);
}

/* ---- Threads ----------------------------------------------------------------------------------
 */

static void drive_thread(struct driver *d, const struct trace_event *event)
{
    struct engine *engine = d->engines[event->rank];
    uint32_t rank = event->rank, thread = event->thread, id = event->id;
    switch (event->what) {
    case EVENT_THREAD_CREATE: /* the child exists for the engine from here on */
        engine_release(engine, thread, &d->thread_clocks[rank][id]);
        engine_acquire(engine, id, &d->thread_clocks[rank][id]);
        break;
    case EVENT_THREAD_BEGIN:
        break;
    case EVENT_THREAD_END:
        engine_release(engine, thread, &d->end_clocks[rank][id]);
        engine_thread_end(engine, thread);
        break;
    case EVENT_THREAD_JOIN:
        engine_acquire(engine, thread, &d->end_clocks[rank][id]);
        break;
    case EVENT_MUTEX_LOCK:
        engine_acquire(engine, thread, &d->mutex_clocks[rank][id]);
        break;
    case EVENT_THREAD_BARRIER:
        engine_release(engine, thread, &d->round_clocks[rank][id]);
        break;
    case EVENT_THREAD_BARRIER_DONE:
        engine_acquire(engine, thread, &d->round_clocks[rank][id]);
        break;
    case EVENT_SIGNAL:
        engine_release(engine, thread, &d->flag_clocks[rank][id]);
        break;
    case EVENT_AWAIT:
        engine_acquire(engine, thread, &d->flag_clocks[rank][id]);
        break;
    default:
        engine_release(engine, thread, &d->mutex_clocks[rank][id]);
        break;
    }
}

/* ---- The trace --------------------------------------------------------------------------------
 */

static void drive_flush(struct driver *d, const struct trace_event *event)
{
    struct engine *engine = d->engines[event->rank];
    uint32_t target = event->step->target == TARGET_ALL ? RANK_ALL : event->step->target;
    if (event->what == EVENT_FLUSH)
        engine_flush(engine, event->thread, window_name(event->id), target);
    else
        engine_flush_local(engine, event->thread, window_name(event->id), target);
    if (!random_chance(&d->random, d->laziness))
        settle(d, event->rank);
}

static void drive_event(struct driver *d, const struct trace_event *event)
{
    switch (event->what) {
    case EVENT_ACCESS:
        drive_access(d, event);
        break;
    case EVENT_RMA:
        drive_rma(d, event);
        break;
    case EVENT_EXECUTED:
        drive_executed(d, event);
        break;
    case EVENT_REQUEST_DONE:
    case EVENT_REQUEST_FREE:
        drive_request(d, event);
        break;
    case EVENT_FLUSH:
    case EVENT_FLUSH_LOCAL:
        drive_flush(d, event);
        break;
    case EVENT_FLUSH_DONE:
    case EVENT_FLUSH_LOCAL_DONE:
        settle(d, event->rank);
        drive_returned(d, event, event->step->target, event->what == EVENT_FLUSH_DONE, false);
        break;
    case EVENT_FENCE:
    case EVENT_FENCE_DONE:
        drive_fence(d, event);
        break;
    case EVENT_POST:
        drive_post(d, event);
        break;
    case EVENT_START:
        drive_start(d, event);
        break;
    case EVENT_COMPLETE:
    case EVENT_COMPLETE_DONE:
        drive_complete(d, event);
        break;
    case EVENT_WAIT_DONE:
        drive_wait(d, event);
        break;
    case EVENT_LOCKED:
    case EVENT_UNLOCK:
    case EVENT_UNLOCK_DONE:
        drive_lock(d, event);
        break;
    case EVENT_SEND:
        d->send_clocks[event->id] = clock_of(d, event->rank, event->thread);
        break;
    case EVENT_SEND_DONE:
        learn(d, event->rank, event->thread,
              &d->receive_clocks[d->trace->messages[event->id].receive], 1);
        break;
    case EVENT_RECV:
        d->receive_clocks[event->id] = clock_of(d, event->rank, event->thread);
        break;
    case EVENT_RECV_DONE:
        learn(d, event->rank, event->thread, &d->send_clocks[event->id], 1);
        break;
    case EVENT_COLLECTIVE:
    case EVENT_COLLECTIVE_DONE:
        drive_collective(d, event);
        break;
    case EVENT_BUFFER_BEGIN:
    case EVENT_BUFFER_END:
        drive_buffer(d, event);
        break;
    case EVENT_WIN_CREATE:
    case EVENT_WIN_CREATE_DONE:
    case EVENT_WIN_FREE:
    case EVENT_WIN_FREE_DONE:
    case EVENT_ATTACH:
    case EVENT_DETACH:
        drive_window(d, event);
        break;
    default:
        drive_thread(d, event);
        break;
    }
}

/* Finalize is all to all. */
static void finalize(struct driver *d)
{
    struct bytes clocks[MAX_RANKS] = {{NULL, 0}};
    uint8_t world = d->program->comms[0];
    for (uint32_t r = 0; r < d->program->ranks; r++)
        enter_all(d, &(struct trace_event){.rank = (uint8_t)r}, world, &clocks[r]);
    for (uint32_t r = 0; r < d->program->ranks; r++)
        leave_all(d, &(struct trace_event){.rank = (uint8_t)r}, world, clocks, 1);
    for (uint32_t r = 0; r < d->program->ranks; r++)
        free(clocks[r].data);
}

static bool add_finding(void *context, const struct finding *finding)
{
    struct drive_result *result = context;
    TRACE_ADD(result->findings, result->count, result->capacity, *finding);
    return true;
}

static void *zeroed(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    if (!array)
        abort();
    return array;
}

static void free_bytes(struct bytes *array, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(array[i].data);
}

static void driver_free(struct driver *d)
{
    const struct trace *trace = d->trace;
    for (uint32_t r = 0; r < d->program->ranks; r++) {
        engine_destroy(d->engines[r]);
        free(d->under_way[r].mails);
        free(d->mailboxes[r].mails);
        for (uint32_t t = 0; t < MAX_THREADS; t++) {
            clock_clear(&d->thread_clocks[r][t]);
            clock_clear(&d->end_clocks[r][t]);
        }
        for (uint32_t m = 0; m < MAX_MUTEXES + MAX_FLAGS; m++)
            clock_clear(&d->mutex_clocks[r][m]);
        for (uint32_t f = 0; f < MAX_FLAGS; f++)
            clock_clear(&d->flag_clocks[r][f]);
        for (uint32_t i = 0; i < MAX_BARRIERS * MAX_ROUNDS; i++)
            clock_clear(&d->round_clocks[r][i]);
    }
    free_bytes(d->send_clocks, trace->message_count);
    free_bytes(d->receive_clocks, trace->receive_count);
    free_bytes(d->collective_clocks, trace->collective_count * MAX_RANKS);
    free_bytes(&d->create_clocks[0][0], MAX_WINDOWS * MAX_RANKS);
    free_bytes(&d->free_clocks[0][0], MAX_WINDOWS * MAX_RANKS);
    free_bytes(&d->fence_clocks[0][0][0], MAX_WINDOWS * MAX_RANKS * EPOCHS);
    free_bytes(&d->post_clocks[0][0][0][0], MAX_WINDOWS * MAX_RANKS * MAX_RANKS * EPOCHS);
    free_bytes(&d->complete_clocks[0][0][0][0], MAX_WINDOWS * MAX_RANKS * MAX_RANKS * EPOCHS);
    for (uint32_t i = 0; i < MAX_WINDOWS * MAX_RANKS; i++) {
        struct lock_memory *lock = &d->locks[i / MAX_RANKS][i % MAX_RANKS];
        free(lock->state.data);
        free_bytes(lock->granted, MAX_RANKS);
        free_bytes(lock->contributed, MAX_RANKS);
    }
    for (size_t i = 0; i < trace->operation_count; i++)
        free(d->operations[i].issue_clock.data);
    for (size_t i = 0; i < d->release_count; i++)
        free(d->releases[i].clock.data);
    free(d->send_clocks);
    free(d->receive_clocks);
    free(d->collective_clocks);
    free(d->operations);
    free(d->releases);
    free(d->buffers);
    free(d);
}

static struct driver *driver_new(const struct trace *trace, uint64_t seed,
                                 struct drive_result *result, struct engine_context *contexts)
{
    struct driver *d = zeroed(1, sizeof *d);
    d->trace = trace;
    d->program = trace->program;
    d->result = result;
    d->random.state = seed;
    d->laziness = random_below(&d->random, 4) * 33;
    d->send_clocks = zeroed(trace->message_count, sizeof *d->send_clocks);
    d->receive_clocks = zeroed(trace->receive_count, sizeof *d->receive_clocks);
    d->collective_clocks =
        zeroed(trace->collective_count * MAX_RANKS, sizeof *d->collective_clocks);
    d->operations = zeroed(trace->operation_count, sizeof *d->operations);
    d->buffers = zeroed(trace->buffer_count, sizeof *d->buffers);
    for (uint32_t r = 0; r < d->program->ranks; r++) {
        contexts[r] = (struct engine_context){d, r};
        const struct engine_config config = {
            .rank = r,
            .ranks = d->program->ranks,
            .implicit_world = d->program->implicit_world,
            .strict_accumulate = d->program->strict_accumulate,
            .deliver = deliver,
            .context = &contexts[r],
        };
        d->engines[r] = engine_create(&config);
    }
    return d;
}

void drive(const struct trace *trace, uint64_t seed, struct drive_result *result)
{
    struct engine_context contexts[MAX_RANKS];
    memset(result, 0, sizeof *result);
    struct driver *d = driver_new(trace, seed, result, contexts);
    result->late = random_chance(&d->random, 15);
    for (size_t i = 0; i < trace->count; i++) {
        uint32_t rank = random_below(&d->random, d->program->ranks);
        if (!d->constructing[rank] && !random_chance(&d->random, d->laziness))
            take_in(d, rank);
        drive_event(d, &trace->events[i]);
    }
    finalize(d);
    for (uint32_t r = 0; r < d->program->ranks; r++)
        engine_findings(d->engines[r], add_finding, result);
    driver_free(d);
}

void drive_clear(struct drive_result *result)
{
    free(result->findings);
    memset(result, 0, sizeof *result);
}
