/* What the generated wrappers are made of, in this library: src/runtime/wrapper.h is the detector's. */
#ifndef REGATTA_STRESS_WRAPPER_H
#define REGATTA_STRESS_WRAPPER_H

#include <mpi.h>
#include <stddef.h>

#include "call.h"
#include "layer.h"

#define WRAPPER __attribute__((visibility("default")))
#define LONG_WAY __attribute__((noinline)) /* its stack frame is not made on the quick path */
#define CALLER __builtin_return_address(0)
#define CALLER_FRAME __builtin_dwarf_cfa()

/* The detector's short cuts do not exist here. */
#define quick_issue(...) false
#define quick_flush(...) false
struct quick_message {
    bool channel;
};
#define quick_send(...) (struct quick_message){false}
#define quick_receive(...) (struct quick_message){false}
#define quick_barrier(...) false
#define quick_barrier_passed(comm, result) (result)
#define quick_sent(message, result) (result)
#define quick_received(message, result) (result)

static inline bool call_enter(struct call *call, enum routine_id routine, const void *caller,
                              const void *frame)
{
    if (__builtin_expect(!layer_is_active(), 0) && !layer_admits(routine))
        return false;
    call->routine = &routines[routine];
    call->caller = caller;
    call->frame = frame;
    call->fortran = false;
    call->replaced = false;
    call->scheduled = NULL;
    for (int i = 0; i < ROUTINE_MAX_BUFFERS; i++)
        call->buffers[i].instead = NULL;
    return !layer_inside_fortran;
}

static inline bool call_enter_fortran(struct call *call, enum routine_id routine, const void *caller,
                                      const void *frame)
{
    if (!call_enter(call, routine, caller, frame))
        return false;
    call->fortran = true;
    layer_inside_fortran = true;
    return true;
}

static inline bool call_is_replaced(const struct call *call)
{
    return call->replaced;
}

static inline int call_replacement(struct call *call)
{
    if (call->fortran)
        layer_inside_fortran = false;
    return call->replacement;
}

/* The argument to hand to MPI for buffer i. */
static inline void *call_buffer(const struct call *call, int i, void *given)
{
    return call->buffers[i].instead ? call->buffers[i].instead : given;
}

static inline void call_after_fortran(struct call *call, int result)
{
    layer_inside_fortran = false;
    call_after(call, result);
}

#endif
