#include <stdlib.h>
#include "internal.h"

static actor_t own_actor(const struct engine *engine, const struct thread_state *thread)
{
    return actor_of(engine->config.rank, thread->number);
}

struct thread_state *thread_of(struct engine *engine, uint32_t number)
{
    if (number < engine->thread_count && engine->threads[number]) {
        engine->threads[number]->ended = false; /* its number is used again */
        return engine->threads[number];
    }
    if (number >= engine->thread_count) {
        engine->threads = reallocate(engine->threads, (number + 1) * sizeof *engine->threads);
        while (engine->thread_count <= number)
            engine->threads[engine->thread_count++] = NULL;
    }
    struct thread_state *thread = allocate_zeroed(1, sizeof *thread);
    thread->number = number;
    thread->now = time_make(engine->generation, 1);
    engine->threads[number] = thread;
    return thread;
}

void threads_clear(struct engine *engine)
{
    for (uint32_t i = 0; i < engine->thread_count; i++) {
        struct thread_state *thread = engine->threads[i];
        if (!thread)
            continue;
        clock_clear(&thread->known);
        snapshot_drop(thread->snapshot);
        free(thread->boundaries);
        free(thread);
    }
    free(engine->threads);
}

static void outdate_snapshot(struct thread_state *thread)
{
    snapshot_drop(thread->snapshot);
    thread->snapshot = NULL;
    thread->stamped = false;
}

void thread_advance(struct engine *engine, struct thread_state *thread)
{
    if (thread->now > thread->last)
        return;
    if (time_tick(thread->now) + 1 >= TICK_LIMIT)
        engine->exhausted = true;
    else
        thread->now++;
}

time_point thread_label(struct thread_state *thread)
{
    if (thread->last != thread->now) {
        thread->last = thread->now;
        outdate_snapshot(thread);
    }
    return thread->now;
}

time_point thread_end_event(struct engine *engine, struct thread_state *thread)
{
    thread_advance(engine, thread);
    return thread_label(thread);
}

struct snapshot *thread_snapshot(struct engine *engine, struct thread_state *thread)
{
    if (!thread->snapshot) {
        thread->snapshot = allocate_zeroed(1, sizeof *thread->snapshot);
        thread->snapshot->references = 1;
        clock_copy(&thread->snapshot->clock, &thread->known);
        if (thread->last && !MUTANT(edge_program_order))
            clock_learn(&thread->snapshot->clock, own_actor(engine, thread), thread->last);
    }
    return thread->snapshot;
}

const struct clock *thread_release(struct engine *engine, struct thread_state *thread)
{
    if (engine->direct_pending)
        origin_hand_over_direct(engine);
    const struct clock *clock = &thread_snapshot(engine, thread)->clock;
    if (!MUTANT(send_does_not_advance))
        thread_advance(engine, thread);
    return clock;
}

void thread_learn(struct engine *engine, struct thread_state *thread, const struct clock *clock)
{
    (void)engine;
    if (clock_join(&thread->known, clock))
        outdate_snapshot(thread);
}

/* Own events of a past generation are known by it unless a boundary says otherwise. */
static bool past_generation_knows(const struct engine *engine, uint32_t number, uint64_t generation,
                                  time_point time)
{
    const struct thread_state *thread =
        number < engine->thread_count ? engine->threads[number] : NULL;
    if (!thread)
        return true;
    for (size_t i = thread->boundary_count; i-- > 0;)
        if (thread->boundaries[i].generation <= generation)
            return time <= thread->boundaries[i].known;
    return true;
}

bool clock_knows_event(const struct engine *engine, const struct clock *clock, actor_t actor,
                       time_point time)
{
    if (time <= clock_known(clock, actor))
        return true;
    if (time_generation(time) >= clock->generation)
        return false;
    return actor_rank(actor) != engine->config.rank || MUTANT(stragglers_known) ||
           past_generation_knows(engine, actor_thread(actor), clock->generation, time);
}

bool thread_knows_event(const struct engine *engine, const struct thread_state *thread,
                        actor_t actor, time_point time)
{
    return actor == own_actor(engine, thread) ||
           clock_knows_event(engine, &thread->known, actor, time);
}

bool generation_passed(const struct engine *engine, uint32_t number, time_point time)
{
    uint64_t generation = engine->threads[0]->known.generation;
    if (time_generation(time) >= generation ||
        !past_generation_knows(engine, number, generation, time))
        return false;
    for (uint32_t i = 1; i < engine->thread_count; i++)
        if (engine->threads[i] && !thread_knows_event(engine, engine->threads[i],
                                                      actor_of(engine->config.rank, number), time))
            return false;
    return true;
}

const void *engine_clock_send(struct engine *engine, uint32_t thread, size_t *size)
{
    const struct clock *clock = thread_release(engine, thread_of(engine, thread));
    struct writer *out = &engine->clock_out;
    out->size = 0;
    write_reserve(out, clock_encoded_bound(clock));
    out->size = clock_encode(clock, out->bytes);
    engine->counters.clocks_sent++;
    engine->counters.clock_bytes_sent += out->size;
    *size = out->size;
    return out->bytes;
}

bool engine_knows(struct engine *engine, uint32_t thread, actor_t actor, time_point time)
{
    return thread_knows_event(engine, thread_of(engine, thread), actor, time);
}

bool engine_clock_receive(struct engine *engine, uint32_t thread, const void *bytes, size_t size)
{
    struct clock clock = CLOCK_EMPTY;
    if (!clock_decode(&clock, bytes, size))
        return false;
    if (!MUTANT(edge_clock))
        thread_learn(engine, thread_of(engine, thread), &clock);
    clock_clear(&clock);
    return true;
}

void engine_release(struct engine *engine, uint32_t thread, struct clock *object)
{
    clock_join(object, thread_release(engine, thread_of(engine, thread)));
}

void engine_acquire(struct engine *engine, uint32_t thread, const struct clock *object)
{
    if (!MUTANT(edge_thread))
        thread_learn(engine, thread_of(engine, thread), object);
}

time_point engine_mark(struct engine *engine, uint32_t thread)
{
    return thread_end_event(engine, thread_of(engine, thread));
}

time_point engine_known(struct engine *engine, uint32_t thread, uint32_t other)
{
    return clock_known(&thread_of(engine, thread)->known, actor_of(engine->config.rank, other));
}

/* Which of the other threads' events thread 0 takes into the new generation. */
static void draw_boundary(struct engine *engine, struct thread_state *main,
                          struct thread_state *thread, uint64_t generation)
{
    if (!thread->last)
        return;
    actor_t actor = own_actor(engine, thread);
    bool knows_all = clock_knows_event(engine, &main->known, actor, thread->last);
    if (knows_all && !thread->boundary_count)
        return;
    time_point known = clock_known(&main->known, actor);
    if (thread->boundary_count && thread->boundaries[thread->boundary_count - 1].known > known)
        known = thread->boundaries[thread->boundary_count - 1].known;
    if (knows_all)
        known = thread->last;
    else if (!thread->boundary_count && known == 0 && main->known.generation > 0)
        known = time_make(main->known.generation,
                          0); /* all of the generations before, nothing of this */
    grow_array(thread->boundaries, thread->boundary_count, thread->boundary_capacity);
    thread->boundaries[thread->boundary_count++] = (struct boundary){generation, known};
}

void engine_world_enter(struct engine *engine)
{
    struct thread_state *main = thread_of(engine, 0);
    if (!MUTANT(pending_not_handed_over))
        origin_hand_over_pending(engine);
    if (engine->direct_pending)
        origin_hand_over_direct(engine);
    uint64_t generation = engine->generation + 1;
    if (generation >= GENERATION_LIMIT) {
        engine->exhausted = true;
        return;
    }
    for (uint32_t i = 1; i < engine->thread_count; i++)
        if (engine->threads[i])
            draw_boundary(engine, main, engine->threads[i], generation);
    engine->generation = generation;
    for (uint32_t i = 0; i < engine->thread_count; i++)
        if (engine->threads[i])
            engine->threads[i]->now = time_make(generation, 1);
}

void engine_world_leave(struct engine *engine)
{
    struct thread_state *main = thread_of(engine, 0);
    if (!MUTANT(edge_world))
        clock_raise(&main->known, engine->generation);
    outdate_snapshot(main);
    windows_forget_past(engine);
    seen_forget_past(engine);
    forget_generation(engine);
}

void engine_thread_end(struct engine *engine, uint32_t thread)
{
    struct thread_state *state = thread_of(engine, thread);
    state->ended = true;
}
