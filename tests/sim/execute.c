/* The scheduler, threads and own accesses. */
#include "execute_state.h"

#include <stdlib.h>
#include <string.h>

enum progress illegal(struct execution *x, const char *complaint)
{
    x->complaint = complaint;
    return STEP_ILLEGAL;
}

void emit(struct execution *x, const struct actor *actor, enum event_what what, uint32_t id,
          const struct step *step)
{
    struct trace *trace = x->trace;
    TRACE_ADD(trace->events, trace->count, trace->capacity,
              (struct trace_event){what, actor->rank, actor->thread, id, step});
}

static uint32_t buffer_begin(struct execution *x, const struct actor *actor,
                             const struct step *step, const struct section *bytes, bool write)
{
    struct trace *trace = x->trace;
    uint32_t id = TRACE_ADD(trace->buffers, trace->buffer_count, trace->buffer_capacity,
                            (struct trace_buffer){*bytes, write, step->site});
    emit(x, actor, EVENT_BUFFER_BEGIN, id, step);
    return id;
}

void buffers_begin(struct execution *x, const struct actor *actor, const struct step *step,
                   uint32_t buffers[2])
{
    buffers[0] = buffers[1] = NO_ID;
    if (step->reads_buffer)
        buffers[0] = buffer_begin(x, actor, step, &step->read_buffer, false);
    if (step->writes_buffer)
        buffers[1] = buffer_begin(x, actor, step, &step->write_buffer, true);
}

void buffers_end(struct execution *x, const struct actor *actor, const struct step *step,
                 uint32_t buffers[2])
{
    for (int i = 0; i < 2; i++) {
        if (buffers[i] != NO_ID)
            emit(x, actor, EVENT_BUFFER_END, buffers[i], step);
        buffers[i] = NO_ID;
    }
}

/* ---- Threads ----------------------------------------------------------------------------------
 */

/* The mutex of a condition variable is held for no longer than the look at its flag. */
static void look_under_mutex(struct execution *x, const struct actor *actor,
                             const struct step *step)
{
    emit(x, actor, EVENT_MUTEX_LOCK, trace_flag_mutex(step->number), step);
    emit(x, actor, EVENT_MUTEX_UNLOCK, trace_flag_mutex(step->number), step);
}

static enum progress flag_step(struct execution *x, struct actor *actor, const struct step *step)
{
    bool *flag = &x->flags[actor->rank][step->number % MAX_FLAGS];
    switch (step->what) {
    case STEP_SIGNAL:
    case STEP_NOTIFY:
        if (*flag)
            return illegal(x, "flag set twice");
        *flag = true;
        if (step->what == STEP_SIGNAL)
            emit(x, actor, EVENT_SIGNAL, step->number, step);
        else
            look_under_mutex(x, actor, step);
        return STEP_OVER;
    case STEP_AWAIT:
        if (!*flag)
            return STEP_BLOCKED;
        emit(x, actor, EVENT_AWAIT, step->number, step);
        return STEP_OVER;
    default: /* looks, sleeps if it is not set, and looks again */
        if (!*flag && actor->entered)
            return STEP_BLOCKED;
        actor->entered = true;
        look_under_mutex(x, actor, step);
        return *flag ? STEP_OVER : STEP_ENTERED;
    }
}

static enum progress barrier_step(struct execution *x, struct actor *actor, const struct step *step)
{
    uint32_t *entered = x->rounds[actor->rank][step->number % MAX_BARRIERS];
    if (!actor->entered) {
        if (!(step->members >> actor->thread & 1) || entered[actor->thread] == MAX_ROUNDS)
            return illegal(x, "not a member of the barrier, or too many rounds");
        actor->entered = true;
        emit(x, actor, EVENT_THREAD_BARRIER, trace_round(step->number, entered[actor->thread]++),
             step);
        return STEP_ENTERED;
    }
    for (uint32_t t = 0; t < MAX_THREADS; t++)
        if (step->members >> t & 1 && entered[t] < entered[actor->thread])
            return STEP_BLOCKED;
    emit(x, actor, EVENT_THREAD_BARRIER_DONE, trace_round(step->number, entered[actor->thread] - 1),
         step);
    return STEP_OVER;
}

static enum progress thread_step(struct execution *x, struct actor *actor, const struct step *step)
{
    struct actor *other = &x->actors[actor->rank][step->number % MAX_THREADS];
    int8_t *holder = &x->mutex_holder[actor->rank][step->number % MAX_MUTEXES];
    switch (step->what) {
    case STEP_THREAD_CREATE:
        if (other->created)
            return illegal(x, "thread created twice");
        other->created = true;
        emit(x, actor, EVENT_THREAD_CREATE, step->number, step);
        return STEP_OVER;
    case STEP_THREAD_JOIN:
        if (!other->created)
            return illegal(x, "join of a thread that does not exist");
        if (!other->ended)
            return STEP_BLOCKED;
        emit(x, actor, EVENT_THREAD_JOIN, step->number, step);
        return STEP_OVER;
    case STEP_MUTEX_LOCK:
        if (*holder == actor->thread + 1)
            return illegal(x, "mutex locked twice");
        if (*holder)
            return STEP_BLOCKED;
        *holder = (int8_t)(actor->thread + 1);
        emit(x, actor, EVENT_MUTEX_LOCK, step->number, step);
        return STEP_OVER;
    default:
        if (*holder != actor->thread + 1)
            return illegal(x, "unlock of a mutex that is not held");
        *holder = 0;
        emit(x, actor, EVENT_MUTEX_UNLOCK, step->number, step);
        return STEP_OVER;
    }
}

/* ---- Scheduling -------------------------------------------------------------------------------
 */

static enum progress step_advance(struct execution *x, struct actor *actor, const struct step *step)
{
    if (step_is_rma(step->what))
        return rma_issue(x, actor, step);
    if (step_is_collective(step->what))
        return message_step(x, actor, step);
    switch (step->what) {
    case STEP_LOAD:
    case STEP_STORE:
        if (step->section_count != 1 || section_end(&step->sections[0]) > x->program->memory)
            return illegal(x, "own access outside of the memory");
        emit(x, actor, EVENT_ACCESS, 0, step);
        return STEP_OVER;
    case STEP_DIRECT_LOAD:
    case STEP_DIRECT_STORE:
        return direct_access(x, actor, step);
    case STEP_WAIT:
        return request_wait(x, actor, step);
    case STEP_REQUEST_FREE:
        return request_free(x, actor, step);
    case STEP_SEND:
    case STEP_SSEND:
    case STEP_RECV:
        return message_step(x, actor, step);
    case STEP_THREAD_CREATE:
    case STEP_THREAD_JOIN:
    case STEP_MUTEX_LOCK:
    case STEP_MUTEX_UNLOCK:
        return thread_step(x, actor, step);
    case STEP_THREAD_BARRIER:
        return barrier_step(x, actor, step);
    case STEP_SIGNAL:
    case STEP_AWAIT:
    case STEP_NOTIFY:
    case STEP_LISTEN:
        return flag_step(x, actor, step);
    default:
        return epoch_step(x, actor, step);
    }
}

static enum progress actor_advance(struct execution *x, struct actor *actor)
{
    const struct step_list *list = &x->program->lists[actor->rank][actor->thread];
    if (!actor->created || actor->ended)
        return STEP_BLOCKED;
    if (!actor->begun) {
        actor->begun = true;
        if (actor->thread)
            emit(x, actor, EVENT_THREAD_BEGIN, actor->thread, NULL);
        return STEP_ENTERED;
    }
    if (actor->next == list->count) {
        actor->ended = true;
        if (actor->thread)
            emit(x, actor, EVENT_THREAD_END, actor->thread, NULL);
        return STEP_ENTERED;
    }
    enum progress progress = step_advance(x, actor, &list->steps[actor->next]);
    if (progress == STEP_OVER) {
        actor->next++;
        actor->entered = false;
    }
    return progress;
}

static bool all_ended(const struct execution *x)
{
    for (uint32_t r = 0; r < x->program->ranks; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++) {
            const struct actor *actor = &x->actors[r][t];
            if (!actor->ended && (actor->created || x->program->lists[r][t].count))
                return false;
        }
    return true;
}

/* What a legal program does not leave behind. */
static const char *left_over(const struct execution *x)
{
    for (uint32_t r = 0; r < x->program->ranks; r++) {
        for (uint32_t w = 0; w < MAX_WINDOWS; w++) {
            const struct window_state *state = &x->windows[w];
            if (state->fence_operations[r])
                return "operations after the last fence";
            if (state->started[r] || state->posted[r])
                return "PSCW epoch left open";
            for (uint32_t t = 0; t < x->program->ranks; t++)
                if (state->held[r][t])
                    return "lock left held";
        }
        for (uint32_t s = 0; s < MAX_SLOTS; s++)
            if (x->requests[r][s].kind != REQUEST_NONE)
                return "request neither waited for nor freed";
        for (uint32_t m = 0; m < MAX_MUTEXES; m++)
            if (x->mutex_holder[r][m])
                return "mutex left locked";
    }
    for (size_t i = 0; i < x->trace->message_count; i++)
        if (!x->messages[i].matched)
            return "message never received";
    return NULL;
}

/* How long one actor tends to go on before another gets its turn: it makes very different
 * interleavings, from lockstep to one rank far ahead of all others. */
static uint32_t choose_patience(struct random *random)
{
    static const uint8_t patience[] = {0, 30, 60, 85, 95, 99};
    return patience[random_below(random, sizeof patience)];
}

/* One actor far ahead of the others, as far as it comes; now and then another one. Shows orders of
 * locks and signals that hardly ever come by chance. */
static enum execute_result run_by_priority(struct execution *x)
{
    uint32_t actors = x->program->ranks * MAX_THREADS;
    uint32_t order[MAX_RANKS * MAX_THREADS];
    uint32_t change = 1 + random_below(&x->random, 20); /* in percent */
    for (uint32_t i = 0; i < actors; i++)
        order[i] = i;
    for (bool first = true; !all_ended(x); first = false) {
        enum progress progress = STEP_BLOCKED;
        for (uint32_t i = actors; i-- > 1 && (first || random_chance(&x->random, change));) {
            uint32_t other = random_below(&x->random, i + 1), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        for (uint32_t i = 0; i < actors && progress == STEP_BLOCKED; i++)
            progress = actor_advance(x, &x->actors[order[i] / MAX_THREADS][order[i] % MAX_THREADS]);
        if (progress == STEP_ILLEGAL)
            return EXECUTE_ILLEGAL;
        if (progress == STEP_BLOCKED && !execute_some_pending(x)) {
            x->complaint = "deadlock";
            return EXECUTE_STUCK;
        }
    }
    x->complaint = left_over(x);
    return x->complaint ? EXECUTE_ILLEGAL : EXECUTE_OK;
}

static enum execute_result run(struct execution *x)
{
    uint32_t ranks = x->program->ranks;
    uint32_t patience = choose_patience(&x->random);
    uint32_t eagerness = random_below(&x->random, 3) * 15; /* of pending accumulates */
    uint32_t rank = 0, thread = 0, refusals = 0;
    while (!all_ended(x)) {
        if (eagerness && random_chance(&x->random, eagerness))
            execute_some_pending(x);
        if (refusals || !random_chance(&x->random, patience)) {
            rank = random_below(&x->random, ranks);
            thread = random_chance(&x->random, 50) ? 0 : random_below(&x->random, MAX_THREADS);
        }
        enum progress progress = actor_advance(x, &x->actors[rank][thread]);
        if (progress == STEP_ILLEGAL)
            return EXECUTE_ILLEGAL;
        if (progress != STEP_BLOCKED) {
            refusals = 0;
            continue;
        }
        if (++refusals < 64)
            continue;
        bool moved = false; /* look at everybody before calling it a deadlock */
        for (uint32_t i = 0; i < ranks * MAX_THREADS && !moved; i++) {
            progress = actor_advance(x, &x->actors[i / MAX_THREADS][i % MAX_THREADS]);
            if (progress == STEP_ILLEGAL)
                return EXECUTE_ILLEGAL;
            moved = progress != STEP_BLOCKED;
        }
        if (!moved && !execute_some_pending(x)) {
            x->complaint = "deadlock";
            return EXECUTE_STUCK;
        }
    }
    x->complaint = left_over(x);
    return x->complaint ? EXECUTE_ILLEGAL : EXECUTE_OK;
}

enum execute_result execute(const struct program *program, uint64_t seed, struct trace *trace,
                            const char **complaint)
{
    struct execution *x = calloc(1, sizeof *x);
    if (!x)
        abort();
    memset(trace, 0, sizeof *trace);
    trace->program = program;
    x->program = program;
    x->trace = trace;
    x->random.state = seed * 0x2545f4914f6cdd1du + 1;
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        for (uint32_t t = 0; t < MAX_THREADS; t++)
            x->actors[r][t] = (struct actor){
                .rank = (uint8_t)r, .thread = (uint8_t)t, .created = t == 0 && r < program->ranks};
    enum execute_result result = seed & EXECUTE_BY_PRIORITY ? run_by_priority(x) : run(x);
    if (complaint)
        *complaint = x->complaint;
    if (result != EXECUTE_OK)
        trace_clear(trace);
    free(x->operations);
    free(x->messages);
    free(x->receives);
    free(x->collectives);
    free(x);
    return result;
}
