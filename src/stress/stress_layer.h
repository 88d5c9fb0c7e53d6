/* The scheduler's side of the generated wrappers (interpose/wrapper.h): a call may be replaced. */
#ifndef REGATTA_STRESS_STRESS_LAYER_H
#define REGATTA_STRESS_STRESS_LAYER_H

#include <stddef.h>

#include "held_call.h"
#include "layer.h"

#define LAYER_CALL struct held_call

/* The detector's short cuts do not exist here. */
#define quick_issue(...) false
#define quick_flush(...) false
#define quick_flushed(result) (result)
struct quick_message {
    bool channel;
};
#define quick_send(...)                                                                            \
    (struct quick_message)                                                                         \
    {                                                                                              \
        false                                                                                      \
    }
#define quick_receive(...)                                                                         \
    (struct quick_message)                                                                         \
    {                                                                                              \
        false                                                                                      \
    }
#define quick_barrier(...) false
#define quick_barrier_passed(comm, result) (result)
#define quick_sent(message, result) (result)
#define quick_received(message, result) (result)

static inline void layer_begins_call(struct call *call)
{
    held(call)->replaced = false;
    held(call)->scheduled = NULL;
    for (int i = 0; i < ROUTINE_MAX_BUFFERS; i++)
        held(call)->instead[i] = NULL;
}

static inline bool call_is_replaced(const struct call *call)
{
    return held(call)->replaced;
}

static inline int call_replacement(struct call *call)
{
    if (call->fortran)
        interpose_here.inside_fortran = false;
    return held(call)->replacement;
}

/* The argument to hand to MPI for buffer i. */
static inline void *call_buffer(const struct call *call, int i, void *given)
{
    return held(call)->instead[i] ? held(call)->instead[i] : given;
}

#endif
