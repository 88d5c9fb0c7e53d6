/* What the generated wrappers are made of. */
#ifndef REGATTA_RUNTIME_WRAPPER_H
#define REGATTA_RUNTIME_WRAPPER_H

#include <mpi.h>

#include "call.h"
#include "quick.h"
#include "session.h"

#define WRAPPER __attribute__((visibility("default")))
#define LONG_WAY __attribute__((noinline)) /* its stack frame is not made on the quick path */
#define CALLER __builtin_return_address(0)
#define CALLER_FRAME __builtin_dwarf_cfa()

/* Whether the runtime looks at this call at all; if not, it only goes to MPI. */
static inline bool call_enter(struct call *call, enum routine_id routine, const void *caller,
                              const void *frame)
{
    if (__builtin_expect(!session_is_active(), 0) && !session_admits(routine))
        return false;
    call->routine = &routines[routine];
    call->caller = caller;
    call->frame = frame;
    call->fortran = false;
    return !session_inside_fortran;
}

/* The same for a Fortran entry point. MPICH's may call the C routine in turn, which must not count
 * twice: between here and call_after_fortran the C wrappers let everything through. */
static inline bool call_enter_fortran(struct call *call, enum routine_id routine, const void *caller,
                                      const void *frame)
{
    if (!call_enter(call, routine, caller, frame))
        return false;
    call->fortran = true;
    session_inside_fortran = true;
    return true;
}

/* The detector hands every call on as it is. */
static inline bool call_is_replaced(const struct call *call)
{
    (void)call;
    return false;
}

static inline int call_replacement(struct call *call)
{
    (void)call;
    return MPI_SUCCESS;
}

static inline void *call_buffer(const struct call *call, int i, void *given)
{
    (void)call;
    (void)i;
    return given;
}

static inline void call_after_fortran(struct call *call, int result)
{
    session_inside_fortran = false;
    call_after(call, result);
}

#endif
