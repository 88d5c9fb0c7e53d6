#include "pending.h"

#include "operations.h"
#include "interpose/stacks.h"

struct pending pendings[PENDING];
int pending_count;

/* The same buffer to the same target from the same place again adds nothing. */
static bool is_same(const struct pending *a, const struct pending *b)
{
    return a->stack == b->stack && a->base == b->base && a->target == b->target &&
           a->win == b->win && a->count == b->count && a->type == b->type &&
           a->routine == b->routine && a->op == b->op;
}

void pending_add(const struct call *call)
{
    struct pending pending = {call->routine,
                              stack_take(call->caller, call->frame),
                              call->win,
                              call->target,
                              session_thread(),
                              call->buffers[0].base,
                              call->buffers[0].count,
                              call->buffers[0].type,
                              routine_has(call->routine, ROLE_op) ? call->op : handles.no_op};
    if (pending_count > 0 && is_same(&pendings[pending_count - 1], &pending))
        return;
    if (pending_count == PENDING)
        pending_settle_all();
    pendings[pending_count++] = pending;
}

void pending_retract(const struct call *call)
{
    if (pending_count > 0 && pendings[pending_count - 1].base == call->buffers[0].base &&
        pendings[pending_count - 1].win == call->win)
        pending_count--;
}

void pending_complete(MPI_Win win, int target)
{
    int kept = 0;
    for (int i = 0; i < pending_count; i++)
        if (pendings[i].win != win || (target >= 0 && pendings[i].target != target))
            pendings[kept++] = pendings[i];
    pending_count = kept;
}

struct watched_call pending_as_call(const struct pending *pending)
{
    struct watched_call again = {.call = {.routine = pending->routine,
                                          .win = pending->win,
                                          .target = pending->target,
                                          .op = pending->op}};
    again.call.buffers[0] =
        (struct call_buffer){.base = pending->base, .count = pending->count, .type = pending->type};
    return again;
}

void pending_settle_all(void)
{
    int n = pending_count;
    pending_count = 0; /* operation_issue_now checks buffers, which would settle again */
    for (int i = 0; i < n; i++) {
        struct watched_call call = pending_as_call(&pendings[i]);
        operation_issue_now(&call.call, pendings[i].stack, pendings[i].thread);
    }
}
