/* Call stacks, cheap enough to take at every MPI call.
 *
 * Programs are often built without frame pointers, and a full unwind by the unwind tables costs microseconds.
 * But an MPI call is nearly always made from a stack that was seen before. Each thread remembers
 * recent stacks by (return address, stack pointer) together with the slots on the stack that hold
 * the return addresses. If all these slots still hold the same addresses, the stack is the same:
 * the frames between them are laid out by the same code. That is a few loads per frame, about
 * 10 ns in all; only a new stack is unwound. */
#ifndef REGATTA_RUNTIME_STACKS_H
#define REGATTA_RUNTIME_STACKS_H

enum { STACK_DEPTH = 64 }; /* the most that option stack_depth can ask for */

/* Return addresses, innermost first, all in the program (frames of MPI and of the runtime are cut
 * off at the inner end). Equal stacks are the same object. Never freed. */
struct stack {
    int depth;
    const void *addresses[];
};

/* The stack of the code that called the wrapper: `caller` its return address, `frame` its stack
 * pointer at the call. Needs the session's lock. NULL without memory. */
const struct stack *stack_take(const void *caller, const void *frame);

#endif
