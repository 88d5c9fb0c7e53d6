/* The quick path of the commonest pair of RMA calls, a put or accumulate and its flush under MPI_Win_lock_all:
 * about 60 instructions for both, because on one node the pair itself is not much more than a memcpy. Taken by the
 * thread that initialised MPI, from places seen before, while nothing else is under way; everything else returns
 * false and goes the long way through struct call. */
#ifndef REGATTA_RUNTIME_QUICK_H
#define REGATTA_RUNTIME_QUICK_H

#include "inuse.h"
#include "pending.h"
#include "session.h"
#include "stacks.h"
#include "windows.h"

/* session_lock and session_unlock for the case that no lock is needed; no other thread has ever come. */
static inline bool quick_enter(void)
{
    if (!session_is_owner)
        return false;
    atomic_store_explicit(&session_bias.owner_inside, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&session_is_quick, memory_order_relaxed))
        return true;
    atomic_store_explicit(&session_bias.owner_inside, false, memory_order_release);
    return false;
}

static inline void quick_leave(void)
{
    atomic_store_explicit(&session_bias.owner_inside, false, memory_order_release);
}

static inline bool quick_issue(enum routine_id routine, const void *caller, const void *frame,
                               const void *base, MPI_Count count, MPI_Datatype type, int target,
                               MPI_Win win, MPI_Op op)
{
    const struct stack *stack = NULL;
    if (!quick_enter())
        return false;
    if (win == window_quick && target != MPI_PROC_NULL && pending_count < PENDING &&
        inuse_empty(session.inuse) && (stack = stack_recent(caller, frame)))
        pendings[pending_count++] = (struct pending){
            &routines[routine], stack, win, target, 0, (void *)base, count, type, op};
    quick_leave();
    return stack != NULL;
}

static inline bool quick_flush(int target, MPI_Win win)
{
    if (!quick_enter())
        return false;
    bool quick = win == window_quick && target != MPI_PROC_NULL;
    if (quick && pending_count == 1 && pendings[0].target == target && pendings[0].win == win)
        pending_count = 0;
    else if (quick && pending_count > 0)
        pending_complete(win, target);
    quick_leave();
    return quick;
}

#endif
