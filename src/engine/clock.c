#include "clock.h"
#include <stdlib.h>
#include <string.h>
#include "encoding.h"
#include "mutants.h"

static actor_t run_end(const struct clock_run *run)
{
    return run->first + run->count;
}

static time_point run_time(const struct clock_run *run, actor_t actor)
{
    return run->time + (uint64_t)run->slope * (actor - run->first);
}

void clock_clear(struct clock *clock)
{
    free(clock->runs);
    *clock = (struct clock)CLOCK_EMPTY;
}

static void reserve_runs(struct clock *clock, size_t count)
{
    if (count <= clock->run_capacity)
        return;
    clock->run_capacity = count + count / 2 + 2;
    clock->runs = reallocate(clock->runs, clock->run_capacity * sizeof *clock->runs);
}

void clock_copy(struct clock *to, const struct clock *from)
{
    reserve_runs(to, from->run_count);
    to->generation = from->generation;
    to->run_count = from->run_count;
    if (from->run_count)
        memcpy(to->runs, from->runs, from->run_count * sizeof *from->runs);
}

/* The first run that ends after this actor: the one that holds it, if any does. */
static size_t run_at(const struct clock *clock, actor_t actor)
{
    size_t low = 0, high = clock->run_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (run_end(&clock->runs[middle]) <= actor)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

time_point clock_known(const struct clock *clock, actor_t actor)
{
    size_t i = run_at(clock, actor);
    if (i == clock->run_count || clock->runs[i].first > actor)
        return 0;
    return run_time(&clock->runs[i], actor);
}

/* Puts a run behind the others, as part of the last one where it continues it. */
static void append_run(struct clock *clock, struct clock_run run)
{
    if (clock->run_count) {
        struct clock_run *last = &clock->runs[clock->run_count - 1];
        if (run_end(last) == run.first &&
            time_generation(last->time) == time_generation(run.time)) {
            time_point last_time = run_time(last, run.first - 1);
            int64_t slope = (int64_t)(run.time - last_time);
            if ((last->count == 1 || last->slope == slope) &&
                (run.count == 1 || run.slope == slope)) {
                last->slope = slope;
                last->count += run.count;
                return;
            }
        }
    }
    reserve_runs(clock, clock->run_count + 1);
    clock->runs[clock->run_count++] = run;
}

/* Appends the part [from, to) of a run. */
static void append_part(struct clock *clock, const struct clock_run *run, actor_t from, actor_t to)
{
    uint64_t count = to - from;
    append_run(clock,
               (struct clock_run){from, count, run_time(run, from), count > 1 ? run->slope : 0});
}

/* Appends the pointwise maximum of two runs over [from, to), both of which cover it. Two
 * progressions cross at most once, so that is one part or two. True if b is ahead somewhere. */
static bool append_later(struct clock *clock, const struct clock_run *a, const struct clock_run *b,
                         actor_t from, actor_t to)
{
    bool first = run_time(b, from) > run_time(a, from);
    bool last = run_time(b, to - 1) > run_time(a, to - 1);
    if (first == last) {
        append_part(clock, first ? b : a, from, to);
        return first;
    }
    actor_t low = from, high = to - 1; /* b is ahead at exactly one of them */
    while (high - low > 1) {
        actor_t middle = low + (high - low) / 2;
        if ((run_time(b, middle) > run_time(a, middle)) == first)
            low = middle;
        else
            high = middle;
    }
    append_part(clock, first ? b : a, from, high);
    append_part(clock, first ? a : b, high, to);
    return true;
}

/* Whether the generation makes this run superfluous. It does for the threads that enter world-wide
 * synchronisations. Of another thread (number > 0) the generation covers only what its rank's
 * thread 0 knew when it entered; what is learnt later is kept, until the next generation covers
 * that too. */
static bool run_is_old(const struct clock_run *run, uint64_t generation)
{
    return time_generation(run->time) < generation &&
           (actor_thread(run->first) == 0 || MUTANT(late_knowledge_dropped));
}

/* Whether `clock` knows all that `other` knows; may say no too often (only single actors are looked
 * up). */
static bool surely_knows(const struct clock *clock, const struct clock *other)
{
    if (other->generation > clock->generation || other->run_count > 8)
        return false;
    for (size_t i = 0; i < other->run_count; i++) {
        const struct clock_run *run = &other->runs[i];
        if (run_is_old(run, clock->generation))
            continue;
        if (run->count > 1 || clock_known(clock, run->first) < run->time)
            return false;
    }
    return true;
}

/* The next run that the generation does not make superfluous. */
static size_t skip_old(const struct clock *clock, size_t i, uint64_t generation)
{
    while (i < clock->run_count && run_is_old(&clock->runs[i], generation))
        i++;
    return i;
}

/* A pair of ranks that talk to each other learn ever later times of few actors: nothing has to be
 * made anew for that. Only in short clocks, since runs that could be one afterwards stay apart. */
static bool join_in_place(struct clock *clock, const struct clock *other)
{
    if (other->generation > clock->generation || clock->run_count > 4 || other->run_count > 4)
        return false;
    struct clock_run *same[4];
    for (size_t i = 0; i < other->run_count; i++) {
        const struct clock_run *run = &other->runs[i];
        if (run_is_old(run, clock->generation)) {
            same[i] = NULL;
            continue;
        }
        size_t k = run_at(clock, run->first);
        if (run->count > 1 || k == clock->run_count || clock->runs[k].first != run->first ||
            clock->runs[k].count > 1)
            return false;
        same[i] = &clock->runs[k];
    }
    for (size_t i = 0; i < other->run_count; i++)
        if (same[i] && same[i]->time < other->runs[i].time)
            same[i]->time = other->runs[i].time;
    return true;
}

bool clock_join(struct clock *clock, const struct clock *other)
{
    if (surely_knows(clock, other))
        return false;
    if (join_in_place(clock, other))
        return true;
    bool more = other->generation > clock->generation;
    struct clock result = CLOCK_EMPTY;
    result.generation = more ? other->generation : clock->generation;
    reserve_runs(&result, clock->run_count + other->run_count);
    uint64_t generation = result.generation;
    size_t i = skip_old(clock, 0, generation), k = skip_old(other, 0, generation);
    actor_t at = 0; /* everything below is done */
    while (i < clock->run_count || k < other->run_count) {
        const struct clock_run *a = i < clock->run_count ? &clock->runs[i] : NULL;
        const struct clock_run *b = k < other->run_count ? &other->runs[k] : NULL;
        actor_t a_from = a ? (a->first > at ? a->first : at) : 0;
        actor_t b_from = b ? (b->first > at ? b->first : at) : 0;
        actor_t to;
        if (!b || (a && a_from < b_from)) {
            to = run_end(a);
            if (b && b_from < to)
                to = b_from;
            append_part(&result, a, a_from, to);
        } else if (!a || b_from < a_from) {
            to = run_end(b);
            if (a && a_from < to)
                to = a_from;
            append_part(&result, b, b_from, to);
            more = true;
        } else {
            to = run_end(a) < run_end(b) ? run_end(a) : run_end(b);
            more |= append_later(&result, a, b, a_from, to);
        }
        at = to;
        if (a && run_end(a) <= at)
            i = skip_old(clock, i + 1, generation);
        if (b && run_end(b) <= at)
            k = skip_old(other, k + 1, generation);
    }
    free(clock->runs);
    *clock = result;
    return more;
}

void clock_learn(struct clock *clock, actor_t actor, time_point time)
{
    struct clock_run run = {actor, 1, time, 0};
    if (run_is_old(&run, clock->generation) || time <= clock_known(clock, actor))
        return;
    size_t i = run_at(clock, actor);
    if (i < clock->run_count && clock->runs[i].first == actor && clock->runs[i].count == 1) {
        clock->runs[i].time = time;
        return;
    }
    struct clock other = {0, &run, 1, 1};
    clock_join(clock, &other);
}

void clock_raise(struct clock *clock, uint64_t generation)
{
    if (generation <= clock->generation)
        return;
    clock->generation = generation;
    size_t kept = 0;
    for (size_t i = 0; i < clock->run_count; i++)
        if (time_generation(clock->runs[i].time) >= generation)
            clock->runs[kept++] = clock->runs[i];
    clock->run_count = kept;
}

/* As bytes: a version, the generation, the number of runs, and per run
 *   gap to the run before, (count - 1) * 2 + (of another generation?), [generation - base],
 *   tick less the tick before, [slope]. */
enum { CLOCK_VERSION = 0xC1 };

size_t clock_encoded_bound(const struct clock *clock)
{
    return 1 + 2 * NUMBER_MAX_BYTES + clock->run_count * 5 * NUMBER_MAX_BYTES;
}

size_t clock_encode(const struct clock *clock, void *bytes)
{
    struct writer out = {bytes, 0, clock_encoded_bound(clock)}; /* never grows */
    write_byte(&out, CLOCK_VERSION);
    write_number(&out, clock->generation);
    write_number(&out, clock->run_count);
    actor_t at = 0;
    uint64_t tick = 0;
    for (size_t i = 0; i < clock->run_count; i++) {
        const struct clock_run *run = &clock->runs[i];
        int64_t ahead = (int64_t)(time_generation(run->time) - clock->generation);
        write_number(&out, run->first - at);
        write_number(&out, (run->count - 1) << 1 | (ahead != 0));
        if (ahead)
            write_number(&out, folded(ahead));
        write_number(&out, folded((int64_t)(time_tick(run->time) - tick)));
        if (run->count > 1)
            write_number(&out, folded(run->slope));
        at = run_end(run);
        tick = time_tick(run_time(run, at - 1));
    }
    return out.size;
}

/* One run from outside: its times must be ticks of one generation at both ends. */
static bool read_run(struct reader *in, uint64_t generation, actor_t *at, uint64_t *tick,
                     struct clock_run *run)
{
    uint64_t gap = read_number(in);
    uint64_t shape = read_number(in);
    int64_t ahead = shape & 1 ? unfolded(read_below(in, 2 * GENERATION_LIMIT)) : 0;
    int64_t first_tick = (int64_t)*tick + unfolded(read_below(in, 2 * TICK_LIMIT));
    uint64_t steps = shape >> 1;
    int64_t slope = steps ? unfolded(read_below(in, 2 * TICK_LIMIT)) : 0;
    if (in->failed || gap > UINT64_MAX - *at || steps >= UINT64_MAX - (*at + gap) ||
        (int64_t)generation + ahead < 0 ||
        (int64_t)generation + ahead >= (int64_t)GENERATION_LIMIT || (shape & 1 && ahead == 0))
        return false;
    __int128 last_tick = (__int128)slope * steps + first_tick;
    if (first_tick <= 0 || (uint64_t)first_tick >= TICK_LIMIT || last_tick <= 0 ||
        last_tick >= (__int128)TICK_LIMIT)
        return false;
    *run = (struct clock_run){
        *at + gap, steps + 1,
        time_make((uint64_t)((int64_t)generation + ahead), (uint64_t)first_tick), slope};
    *at = run->first + run->count;
    *tick = (uint64_t)last_tick;
    return true;
}

bool clock_decode(struct clock *clock, const void *bytes, size_t size)
{
    struct reader in = reader_of(bytes, size);
    struct clock decoded = CLOCK_EMPTY;
    if (read_byte(&in) != CLOCK_VERSION)
        return false;
    decoded.generation = read_below(&in, GENERATION_LIMIT);
    uint64_t count = read_number(&in);
    if (in.failed || count > bytes_left(&in) / 3) /* a run has three bytes or more */
        return false;
    reserve_runs(&decoded, count);
    actor_t at = 0;
    uint64_t tick = 0;
    for (uint64_t i = 0; i < count; i++) {
        struct clock_run run;
        if (!read_run(&in, decoded.generation, &at, &tick, &run)) {
            clock_clear(&decoded);
            return false;
        }
        append_run(&decoded, run);
    }
    if (!read_whole(&in)) {
        clock_clear(&decoded);
        return false;
    }
    clock_clear(clock);
    *clock = decoded;
    return true;
}
