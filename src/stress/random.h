/* Reproducible random numbers (splitmix64): equal seed and rank, equal schedule. */
#ifndef REGATTA_STRESS_RANDOM_H
#define REGATTA_STRESS_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* From 0 to below `limit`, which is not 0. The bias is below 2^-32 for limits below 2^32. */
static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return random_next(state) % limit;
}

#endif
