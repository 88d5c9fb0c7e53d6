/* Clocks: what an actor knows about all others, small at any number of ranks.
 *
 * A time is (generation, tick), packed into 64 bits: 30 bits of generation, 34 of tick. A
 * generation ends with a world-wide synchronisation: 10^9 of them, and 1.7 * 10^10 ticks
 * (synchronising calls) between two. Back to back at 10 us and 0.5 us that is 3 hours and 2.4
 * hours; the engine notices when it runs out and says so.
 *
 * A clock is a generation, below which everything of everybody is known, plus runs of actors known
 * further. A run covers consecutive actors whose ticks form an arithmetic progression, because that
 * is what regular codes make: in a halo exchange one knows the neighbour of the neighbour one step
 * less far. So what a clock costs follows the irregularity of the communication, not the ranks. */
#ifndef REGATTA_ENGINE_CLOCK_H
#define REGATTA_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TICK_BITS 34
#define TICK_LIMIT ((uint64_t)1 << TICK_BITS)
#define GENERATION_LIMIT ((uint64_t)1 << (64 - TICK_BITS))

typedef uint64_t time_point; /* generation << TICK_BITS | tick */

/* Actors as one number. Neighbouring ranks are neighbours here: runs need that. */
typedef uint64_t actor_t; /* thread << 32 | rank */

static inline actor_t actor_of(uint32_t rank, uint32_t thread)
{
    return (actor_t)thread << 32 | rank;
}

static inline uint32_t actor_rank(actor_t actor)
{
    return (uint32_t)actor;
}

static inline uint32_t actor_thread(actor_t actor)
{
    return (uint32_t)(actor >> 32);
}

static inline time_point time_make(uint64_t generation, uint64_t tick)
{
    return generation << TICK_BITS | tick;
}

static inline uint64_t time_generation(time_point time)
{
    return time >> TICK_BITS;
}

static inline uint64_t time_tick(time_point time)
{
    return time & (TICK_LIMIT - 1);
}

struct clock_run {
    actor_t first;
    uint64_t count;
    time_point time; /* of the first actor; times in a run are of one generation */
    int64_t slope;   /* added per actor; 0 if count is 1 */
};

struct clock {
    uint64_t generation;    /* times of lower generations are known, of every rank's thread 0 and of
                             * what    that knew of its rank's other threads */
    struct clock_run *runs; /* ascending, disjoint */
    size_t run_count, run_capacity;
};

/* Knows nothing. Needs no clock_clear as long as nothing is joined into it. */
#define CLOCK_EMPTY {0, NULL, 0, 0}

void clock_clear(struct clock *clock);
void clock_copy(struct clock *to, const struct clock *from);

/* The latest time known of that actor (0: nothing beyond the generation). */
time_point clock_known(const struct clock *clock, actor_t actor);

/* Whether an event of that actor at that time is known. */
static inline bool clock_covers(const struct clock *clock, actor_t actor, time_point time)
{
    return time_generation(time) < clock->generation || time <= clock_known(clock, actor);
}

/* The actor is known at least up to that time. */
void clock_learn(struct clock *clock, actor_t actor, time_point time);

/* clock := what either knows. True if that is more than before. */
bool clock_join(struct clock *clock, const struct clock *other);

/* Everything below this generation is known. */
void clock_raise(struct clock *clock, uint64_t generation);

/* As bytes: an upper bound of the size, the encoding (returns the size), and back. Decoding refuses
 * whatever is not exactly one valid clock, and leaves `clock` alone then. */
size_t clock_encoded_bound(const struct clock *clock);
size_t clock_encode(const struct clock *clock, void *bytes);
bool clock_decode(struct clock *clock, const void *bytes, size_t size);

#endif
