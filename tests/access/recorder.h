/* A stand-in for the runtime: flags what a test asks for and writes down what it is told. */
#ifndef REGATTA_TESTS_ACCESS_RECORDER_H
#define REGATTA_TESTS_ACCESS_RECORDER_H

#include "access/hooks.h"

struct recorded {
    uintptr_t address;
    size_t bytes;
    enum hook_kind kind;
    const void *caller, *frame;
};

/* Objects that order processes: with no bytes. */
#define RECORDED_RELEASE ((enum hook_kind)16)
#define RECORDED_ACQUIRE ((enum hook_kind)17)

enum { RECORDED_MOST = 64 };
extern struct recorded recorded[RECORDED_MOST];
extern int recorded_count;
extern int recorded_ignored[2]; /* loads, stores */
extern struct access_run recorder_runs[ACCESS_RUNS]; /* the runtime's table */

/* Several threads are at work, as far as atomics are concerned; and what was told of the latest one:
 * for its beginning, for its end, and whether that was the same object. */
extern unsigned char recorder_threads;
extern unsigned recorded_begun, recorded_ended, recorded_fence;

/* Flags the page of an address, and no other; forgets what was recorded. */
void recorder_watch(const void *address);
/* The same with other flags than ACCESS_IN_USE. */
void recorder_flag(const void *address, int flags);
/* Where window memory is: at most two pairs of bounds. Everywhere after recorder_flag. */
void recorder_windows(uint64_t count, const uint64_t *pairs);

#endif
