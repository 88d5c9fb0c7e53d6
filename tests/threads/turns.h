/* For programs whose threads must not be in MPI at the same time although nothing orders them: the
 * order of a volatile variable, which is no synchronisation in C, and which no tool can see. A
 * verdict that depends on timing is wrong in one of the two orders. */
#ifndef TESTS_THREADS_TURNS_H
#define TESTS_THREADS_TURNS_H

#include <stdlib.h>
#include <unistd.h>

static volatile int turns_given;

static inline void give_turn(int turn)
{
    turns_given = turn;
}

/* Not for ever: nothing obliges OpenMP to run the task that gives the turn on another thread while
 * this one waits. Then the order is the other one, and the verdict has to be the same. */
static inline void await_turn(int turn)
{
    for (int i = 0; turns_given < turn && i < 20000; i++)
        usleep(100);
}

/* With NAPS in the environment: a while, up to so many microseconds. */
static inline void nap(void)
{
    static __thread unsigned state;
    const char *naps = getenv("NAPS");
    if (!naps)
        return;
    if (!state)
        state = (unsigned)(size_t)&state ^ (unsigned)getpid();
    state = state * 1103515245u + 12345u;
    usleep(1 + (state >> 8) % (unsigned)(atoi(naps) + 1));
}

#endif
