/* What all unit tests of the engine need: cmocka, and random numbers that are the same in every
 * run. */
#ifndef REGATTA_TESTS_ENGINE_UNIT_H
#define REGATTA_TESTS_ENGINE_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t random_state = 88172645463325252u;

static inline uint64_t random_below(uint64_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % limit;
}

#endif
