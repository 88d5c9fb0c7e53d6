#include "repeats.h"

#include "operations.h"
#include "rma.h"
#include "interpose/stacks.h"

struct repeat repeat;

static bool is_its_flush(const struct call *call)
{
    return call->routine->verb == VERB_flushes && call->routine->object == OBJECT_one &&
           call->win == repeat.put.win && call->target == repeat.put.target;
}

static void issue(void)
{
    struct watched_call again = pending_as_call(&repeat.put);
    again.call.target_disp = repeat.target_disp;
    again.call.target_count = repeat.target_count;
    again.call.target_type = repeat.target_type;
    operation_issue_now(&again.call, repeat.put.stack, repeat.put.thread);
    rma_issued_from(&again.call, repeat.put.stack);
}

void repeat_before(const struct call *call)
{
    if (repeat.state == REPEAT_AGAIN)
        issue();
    if (repeat.state != REPEAT_ISSUED || !is_its_flush(call))
        repeat.state = REPEAT_NONE;
}

void repeat_interrupt(void)
{
    if (repeat.state == REPEAT_AGAIN)
        issue();
    repeat.state = REPEAT_NONE;
}

static void remember_place(const struct call *call)
{
    const struct recent_stack *recent = recent_stack_slot(call->caller, call->frame);
    bool has_outer = recent->trace.depth > 1 && recent_stack_is(recent, call->caller, call->frame);
    repeat.caller = call->caller;
    repeat.frame = call->frame;
    repeat.outer = has_outer ? recent->trace.addresses[1] : call->caller;
    repeat.outer_slot = has_outer ? recent->trace.slots[1] : &repeat.outer;
}

static bool can_be_repeated(const struct call *call)
{
    return call->routine->verb == VERB_issues && call->routine->object == OBJECT_put &&
           !routine_has(call->routine, ROLE_new_request) && !call->fortran &&
           call->target != MPI_PROC_NULL &&
           layout_is_permanent(session.layouts, call->buffers[0].type) &&
           layout_is_permanent(session.layouts, call->target_type);
}

void repeat_after(const struct call *call)
{
    if (repeat.state == REPEAT_ISSUED && is_its_flush(call)) {
        repeat.state = REPEAT_FLUSHED;
    } else if (can_be_repeated(call)) {
        repeat =
            (struct repeat){.state = REPEAT_ISSUED,
                            .put = {call->routine, stack_take(call->caller, call->frame), call->win,
                                    call->target, session_thread(), call->buffers[0].base,
                                    call->buffers[0].count, call->buffers[0].type, handles.no_op},
                            .target_disp = call->target_disp,
                            .target_count = call->target_count,
                            .target_type = call->target_type};
        if (repeat.put.stack && interpose_here.recent_stacks)
            remember_place(call);
        else
            repeat.state = REPEAT_NONE;
    }
}
