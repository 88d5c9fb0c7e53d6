/* Call stacks, cheap enough to take at every MPI call.
 *
 * Programs are often built without frame pointers, and a full unwind by the unwind tables costs
 * microseconds. But an MPI call is nearly always made from a stack that was seen before. Each
 * thread remembers recent stacks by (return address, stack pointer) together with the slots on the
 * stack that hold the return addresses. If all these slots still hold the same addresses, the stack
 * is the same: the frames between them are laid out by the same code. That is a few loads per
 * frame, about 10 ns in all; only a new stack is unwound. */
#ifndef REGATTA_INTERPOSE_STACKS_H
#define REGATTA_INTERPOSE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose_thread.h"

enum { STACK_DEPTH = 64 }; /* the most that option stack_depth can ask for */

/* Return addresses, innermost first, all in the program (frames of MPI and of the runtime are cut
 * off at the inner end). Equal stacks are the same object. Never freed; there are as
 * many as the program has paths without recursion (stacks.c). */
struct stack {
    int depth;
    const void *addresses[];
};

/* The stack of the code that called the wrapper: `caller` its return address, `frame` its stack
 * pointer at the call. Needs the session's lock. NULL without memory. */
const struct stack *stack_take(const void *caller, const void *frame);

/* A stack of which only this much is known. NULL without memory. */
const struct stack *stack_of_address(const void *address);

/* Whether a code address belongs to MPI or to Regatta, not to the program. */
bool stack_is_foreign(const void *address);

/* ---- recent stacks of a thread ---- */

struct trace {
    const void *caller;
    int depth, limit;
    const void *addresses[STACK_DEPTH];
    const void *const *slots[STACK_DEPTH]; /* where on the stack each address stands */
};

struct recent_stack {
    const void *caller, *frame;
    const struct stack *stack;
    struct trace trace;
};

enum { RECENT_STACKS = 64 }; /* a power of two; about 70 KiB per thread that calls MPI */

static inline struct recent_stack *recent_stack_slot(const void *caller, const void *frame)
{
    uintptr_t hash = ((uintptr_t)caller ^ (uintptr_t)frame >> 4) * UINT64_C(0x9e3779b97f4a7c15);
    return &interpose_here.recent_stacks[hash >> 58];
}

static inline bool recent_stack_is(const struct recent_stack *recent, const void *caller,
                                   const void *frame)
{
    if (recent->caller != caller || recent->frame != frame)
        return false;
    for (int i = 1; i < recent->trace.depth; i++)
        if (*recent->trace.slots[i] != recent->trace.addresses[i])
            return false;
    return true;
}

/* The stack if it is a recent one, else NULL: never unwinds, needs no lock. */
static inline const struct stack *stack_recent(const void *caller, const void *frame)
{
    if (!interpose_here.recent_stacks)
        return NULL;
    const struct recent_stack *recent = recent_stack_slot(caller, frame);
    return recent_stack_is(recent, caller, frame) ? recent->stack : NULL;
}

#endif
