/* The same put again, each time flushed: the commonest loop of one-sided programs, and of
 * benchmarks.
 *
 * A put that equals the one before it in all arguments and comes from the same place, when that one
 * has been flushed and nothing else has happened in this process since, tells the race engine
 * nothing new: whoever is ordered with the one is ordered with the other, because this process has
 * neither learnt nor told anything in between. So it is only noted. If anything but its flush
 * follows, it is issued for good first. */
#ifndef REGATTA_RUNTIME_REPEATS_H
#define REGATTA_RUNTIME_REPEATS_H

#include "pending.h"

struct repeat {
    enum { REPEAT_NONE, REPEAT_ISSUED, REPEAT_FLUSHED, REPEAT_AGAIN } state;
    struct pending put;
    /* Where it came from, and the return address of the function that it came from, with its place
     * on the stack. Deeper frames are not compared: at worst the stack shown is that of another
     * call of that function. */
    const void *caller, *frame, *outer;
    const void *const *outer_slot;
    MPI_Aint target_disp;
    MPI_Count target_count;
    MPI_Datatype target_type;
};

extern struct repeat repeat;

/* Around every call that goes the long way, with the session's lock; after: only if it succeeded.
 */
void repeat_before(const struct call *call);
void repeat_after(const struct call *call);
/* Something happens that is not a call of MPI. */
void repeat_interrupt(void);

#endif
