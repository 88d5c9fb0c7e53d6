/* What the generated wrappers are made of. They are compiled once for each layer that stands
 * between a program and its MPI, the detector and the stress scheduler. REGATTA_LAYER names the
 * layer's header, which says:
 *
 *   LAYER_CALL                     struct call with what the layer keeps of it, `call` first
 *   layer_is_active, layer_admits  whether the layer looks at calls; whether this one can start it
 *   layer_begins_call              members of its own that have to be set at once
 *   call_is_replaced, call_replacement, call_buffer   what happens instead of the call
 *   quick_…                        the shortest ways, taken before struct call has a place on the
 * stack */
#ifndef REGATTA_INTERPOSE_WRAPPER_H
#define REGATTA_INTERPOSE_WRAPPER_H

#include <mpi.h>

#include "call.h"

#define WRAPPER __attribute__((visibility("default")))
#define LONG_WAY __attribute__((noinline)) /* its stack frame is not made on the quick path */
#define CALLER __builtin_return_address(0)
#define CALLER_FRAME __builtin_dwarf_cfa()

#include REGATTA_LAYER

/* Whether the layer looks at this call at all; if not, it only goes to MPI. */
static inline bool call_enter(struct call *call, enum routine_id routine, const void *caller,
                              const void *frame)
{
    if (__builtin_expect(!layer_is_active(), 0) && !layer_admits(routine, caller, frame))
        return false;
    call->routine = &routines[routine];
    call->caller = caller;
    call->frame = frame;
    call->fortran = false;
    layer_begins_call(call);
    return !interpose_here.inside_fortran;
}

/* The same for a Fortran entry point. MPICH's may call the C routine in turn, which must not count
 * twice: between here and call_after_fortran the C wrappers let everything through. */
static inline bool call_enter_fortran(struct call *call, enum routine_id routine,
                                      const void *caller, const void *frame)
{
    if (!call_enter(call, routine, caller, frame))
        return false;
    call->fortran = true;
    interpose_here.inside_fortran = true;
    return true;
}

static inline void call_after_fortran(struct call *call, int result)
{
    interpose_here.inside_fortran = false;
    call_after(call, result);
}

#endif
