/* Time, for all engine benches: processor time of this process, so that a busy machine disturbs
 * less. */
#ifndef REGATTA_BENCH_ENGINE_MEASURE_H
#define REGATTA_BENCH_ENGINE_MEASURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline uint64_t random_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A bound from the project's goals, met or not. A bench that misses one says so and fails. */
static int missed_goals;

static inline void goal(const char *what, int met)
{
    printf("    goal: %-60s %s\n", what, met ? "met" : "MISSED");
    missed_goals += !met;
}

#endif
