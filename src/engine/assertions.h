/* What must hold inside the engine and the runtime, in two tiers: what costs a comparison, and what
 * walks a whole structure. Neither is in what users get: REGATTA_ASSERT is 0 there, a program is
 * never ended by its checker. Tests that play random programs build with 2. */
#ifndef REGATTA_ENGINE_ASSERTIONS_H
#define REGATTA_ENGINE_ASSERTIONS_H

#ifndef REGATTA_ASSERT
#define REGATTA_ASSERT 0
#endif

#if REGATTA_ASSERT
#include <stdio.h>
#include <stdlib.h>

static inline _Noreturn void assertion_failed(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}
#endif

#if REGATTA_ASSERT >= 1
#define assert_cheap(condition)                                                                    \
    ((condition) ? (void)0 : assertion_failed(#condition, __FILE__, __LINE__))
#else
#define assert_cheap(condition) ((void)sizeof(condition))
#endif

#if REGATTA_ASSERT >= 2
#define assert_expensive(condition) assert_cheap(condition)
#else
#define assert_expensive(condition) ((void)sizeof(condition))
#endif

#endif
