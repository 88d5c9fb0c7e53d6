/* Quick paths of the commonest calls. A blocking send, receive or barrier while there is no window,
 * which are only counted, and the commonest pair of RMA calls, a put or accumulate and its flush
 * under MPI_Win_lock_all (while races are looked for: a put that repeats the one before,
 * repeats.h): about 60 instructions for both, because on one node the pair itself is not much more
 * than a memcpy. Taken by the thread that initialised MPI, from places seen before, while nothing
 * else is under way; everything else returns false and goes the long way through struct call. */
#ifndef REGATTA_RUNTIME_QUICK_H
#define REGATTA_RUNTIME_QUICK_H

#include "channel.h"
#include "comms.h"
#include "edges.h"
#include "ends.h"
#include "engine/inuse.h"
#include "operations.h"
#include "pending.h"
#include "repeats.h"
#include "session.h"
#include "interpose/stacks.h"
#include "transport.h"
#include "window_operations.h"

/* session_lock and session_unlock for the case that no lock is needed; no other thread has ever
 * come. */
static inline bool quick_enter(void)
{
    if (!runtime_here.is_owner)
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

#define QUICK static inline __attribute__((always_inline))

struct quick_target {
    MPI_Aint disp;
    MPI_Count count;
    MPI_Datatype type;
};

QUICK bool quick_repeat(enum routine_id routine, const void *caller, const void *frame,
                        const void *base, MPI_Count count, MPI_Datatype type, int target,
                        const struct quick_target *at, MPI_Win win)
{
    const struct pending *put = &repeat.put;
    if (repeat.state != REPEAT_FLUSHED || put->routine != &routines[routine] || put->win != win ||
        put->target != target || put->base != base || put->count != count || put->type != type ||
        repeat.target_disp != at->disp || repeat.target_count != at->count ||
        repeat.target_type != at->type || repeat.caller != caller || repeat.frame != frame ||
        *repeat.outer_slot != repeat.outer)
        return false;
    repeat.state = REPEAT_AGAIN;
    return true;
}

QUICK bool quick_issue(enum routine_id routine, const void *caller, const void *frame,
                       const void *base, MPI_Count count, MPI_Datatype type, int target,
                       struct quick_target at, MPI_Win win, MPI_Op op)
{
    const struct stack *stack = NULL;
    if (!quick_enter())
        return false;
    if (session.engine) {
        bool quick = quick_repeat(routine, caller, frame, base, count, type, target, &at, win);
        quick_leave();
        return quick;
    }
    if (win == window_quick && target != MPI_PROC_NULL && pending_count < PENDING &&
        inuse_empty(session.inuse) && layout_is_permanent(session.layouts, type) &&
        (stack = stack_recent(caller, frame)))
        pendings[pending_count++] = (struct pending){&routines[routine], stack, win,  target, 0,
                                                     (void *)base,       count, type, op};
    quick_leave();
    return stack != NULL;
}

QUICK bool quick_flush(enum routine_id routine, const void *caller, int target, MPI_Win win,
                       bool remote)
{
    if (!quick_enter())
        return false;
    ends_enter_quick(routine, caller, (uint64_t)(uintptr_t)win, target, 0);
    if (session.engine) {
        bool again = remote && repeat.state == REPEAT_AGAIN && repeat.put.target == target &&
                     repeat.put.win == win;
        if (again)
            repeat.state = REPEAT_FLUSHED;
        quick_leave();
        return again;
    }
    bool quick = win == window_quick && target != MPI_PROC_NULL;
    if (quick && pending_count == 1 && pendings[0].target == target && pendings[0].win == win)
        pending_count = 0;
    else if (quick && pending_count > 0)
        pending_complete(win, target);
    quick_leave();
    return quick;
}

QUICK int quick_flushed(int result)
{
    ends_leave();
    return result;
}

/* Whether a message would mean more than one more in its channel. Nothing that is pending could
 * move the number of a message in an idle channel: it is known for good. */
QUICK bool quick_channel_is_idle(const struct quick_channel *known, bool sends)
{
    const struct channel *channel = known->channel;
    return sends ? !channel->waiting && !channel->answers
                 : !known->comm->wildcards && !channel->pending && !operations_orphaned;
}

QUICK struct quick_message quick_message(enum routine_id routine, const void *caller, MPI_Comm comm,
                                         int peer, int tag, bool sends)
{
    struct quick_message message = {NULL, 0};
    const struct quick_channel *known = quick_channel(peer, tag, sends);
    if (known->handle != comm || known->peer != peer || known->tag != tag ||
        interpose_here.inside_fortran || !quick_enter())
        return message;
    if (known->comm && known->channel->key.sends == sends && !session.engine &&
        pending_count == 0 && inuse_empty(session.inuse) && !transport_is_awake() &&
        quick_channel_is_idle(known, sends)) {
        known->comm->receives += !sends;
        known->channel->quick = true;
        message = (struct quick_message){known->channel, channel_count(known->channel)};
        ends_enter_quick(routine, caller, (uint64_t)(uintptr_t)comm, peer, tag);
    }
    quick_leave();
    return message;
}

QUICK struct quick_message quick_send(enum routine_id routine, const void *caller, MPI_Comm comm,
                                      int dest, int tag)
{
    return quick_message(routine, caller, comm, dest, tag, true);
}

QUICK struct quick_message quick_receive(enum routine_id routine, const void *caller, MPI_Comm comm,
                                         int source, int tag)
{
    return quick_message(routine, caller, comm, source, tag, false);
}

QUICK int quick_sent(struct quick_message message, int result)
{
    (void)message;
    ends_leave();
    return result;
}

QUICK int quick_received(struct quick_message message, int result)
{
    ends_leave();
    if (result != MPI_SUCCESS || session.engine || transport_is_awake())
        edges_after_quick_receive(message, result == MPI_SUCCESS);
    return result;
}

QUICK bool quick_barrier(enum routine_id routine, const void *caller, MPI_Comm comm)
{
    if (interpose_here.inside_fortran || !quick_enter())
        return false;
    bool quick = !session.engine && comm_recent && comm_recent->handle == comm &&
                 !comm_recent->foreign && !transport_is_awake();
    if (quick) {
        comm_count_collective(comm_recent);
        ends_enter_quick(routine, caller, (uint64_t)(uintptr_t)comm, 0, 0);
    }
    quick_leave();
    return quick;
}

QUICK int quick_barrier_passed(MPI_Comm comm, int result)
{
    ends_leave();
    if (session.engine || transport_is_awake())
        edges_after_quick_barrier(comm, result == MPI_SUCCESS);
    return result;
}

#endif
