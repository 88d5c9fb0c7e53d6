/* The detector's side of the generated wrappers (interpose/wrapper.h): every call is handed on as
 * it is, but for updates that are made to tell what they found (releases.h). */
#ifndef REGATTA_RUNTIME_DETECTOR_LAYER_H
#define REGATTA_RUNTIME_DETECTOR_LAYER_H

#include "quick.h"
#include "rma.h"
#include "session.h"
#include "thread_rules.h"
#include "watched_call.h"

#define LAYER_CALL struct watched_call

static inline bool layer_is_active(void)
{
    return session_is_active();
}

static inline bool layer_admits(enum routine_id routine, const void *caller, const void *frame)
{
    if (session_admits(routine))
        return true;
    if (session_is_finalized())
        thread_rules_outside(routine, caller, frame);
    return false;
}

static inline void layer_begins_call(struct call *call)
{
    watched(call)->asks = NULL;
}

static inline bool call_is_replaced(const struct call *call)
{
    return watched(call)->asks != NULL;
}

static inline int call_replacement(struct call *call)
{
    int result = rma_ask(call);
    if (call->fortran)
        interpose_here.inside_fortran = false;
    call_after(call, result);
    return result;
}

static inline void *call_buffer(const struct call *call, int i, void *given)
{
    (void)call;
    (void)i;
    return given;
}

#endif
