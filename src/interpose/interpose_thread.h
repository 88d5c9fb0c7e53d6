/* All that this room keeps of one thread of the system; a layer has its own (runtime_thread.h,
 * stress_thread.h). Nobody but the thread itself reads or writes it, so it needs no lock. It begins
 * as zeros. No other variable of src/interpose is thread-local (tests/rooms/thread_state). */
#ifndef REGATTA_INTERPOSE_INTERPOSE_THREAD_H
#define REGATTA_INTERPOSE_INTERPOSE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct recent_stack;

enum { THREAD_STAYING = 4, STAYING_DEPTH = 12 };

/* The outer part of a stack, from the innermost frame on that is not of namespace std
 * (callers.c). */
struct staying_caller {
    int depth;
    const void *addresses[STAYING_DEPTH];
    const void *const *slots[STAYING_DEPTH]; /* where they stand */
    uint64_t callers;
};

struct interpose_thread {
    bool inside_fortran; /* it is in a Fortran entry point, which may call the C routine in turn */
    struct recent_stack *recent_stacks; /* freed when the thread ends (stacks.c) */
    struct staying_caller callers[THREAD_STAYING];
    unsigned next_caller;
};
extern __thread struct interpose_thread interpose_here;

#endif
