/* What an event does to an operation in progress: completes it, tests it, loses its handle … Where
 * that is not known the operation counts as completed. */
#include "regions_inside.h"

#include "alias.h"
#include "normalise.h"

static bool uses_request(const struct event *op)
{
    return op->requests != NULL;
}

enum answer flow_completes(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (!uses_request(op) || !event->requests)
        return NEVER;
    struct moments moments = flow_moments(flow, fact, event->block);
    return slot_among(&moments, op->requests, event->requests, event->nrequests);
}

static bool handle_is_copied(struct function *function, LLVMValueRef slot)
{
    expression e = bridge_expression(function->bridge, slot);
    return alias_handles_are_copied(function, e ? bridge_base(function->bridge, e) : NULL);
}

static LLVMValueRef handle_slot(LLVMValueRef handle)
{
    return LLVMIsALoadInst(handle) ? LLVMGetOperand(handle, 0) : NULL;
}

/* Windows are the same if they are the same value or are read from the same variable. */
static bool other_window(struct flow *flow, const struct fact *fact, LLVMValueRef a, LLVMValueRef b,
                         unsigned block)
{
    LLVMValueRef slot_a = handle_slot(a), slot_b = handle_slot(b);
    if (a == b || !slot_a || !slot_b)
        return false;
    struct moments moments = flow_moments(flow, fact, block);
    return slot_among(&moments, slot_a, slot_b, NULL) == NEVER;
}

/* What only reads is over at the target as soon as its data is at the origin. */
static bool ends_at_origin(const struct flow *flow, const struct event *op)
{
    LLVMValueRef operation = event_argument(op, ROLE_op);
    return op->routine->object == OBJECT_get ||
           (operation && is_no_op(operation, flow->function->flavour));
}

/* Completion of RMA operations (semantics §2): locally, or at the target if that is asked for. */
static bool synchronises(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    const struct routine *routine = event->routine;
    if (op->kind != EVENT_issue || !event->window || !routine)
        return false;
    bool frees_buffers = routine->verb == VERB_finishes || routine->verb == VERB_flushes ||
                         routine->verb == VERB_flushes_local || routine->object == OBJECT_fence ||
                         (routine->verb == VERB_closes && routine->object != OBJECT_exposure);
    if (flow->visit_progress && routine->verb == VERB_flushes_local && !ends_at_origin(flow, op))
        return false;
    if (!frees_buffers || other_window(flow, fact, op->window, event->window, event->block))
        return false;
    if (!event->target || !op->target)
        return true;
    struct moments moments = flow_moments(flow, fact, event->block);
    return values_equal(&moments, op->target, event->target) != NEVER;
}

/* A function that is not known here may complete a request whose slot it can reach. */
static bool hides_completion(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    LLVMValueRef callee = call_target(event->instruction);
    bool in_program = !callee || !LLVMIsDeclaration(callee);
    bool uses_mpi = call_may_use_mpi(flow->function->effects, event->instruction, in_program);
    LLVMValueRef slot = op->kind == EVENT_issue ? NULL : op->requests;
    if (call_hands_over_mpi(flow->function->effects, event->instruction))
        return true;
    if (!slot)
        return uses_mpi;
    expression e = bridge_expression(flow->function->bridge, slot);
    LLVMValueRef base = e ? bridge_base(flow->function->bridge, e) : NULL;
    if (in_program && !uses_mpi)
        return false;
    if (uses_mpi && (!base || !LLVMIsAAllocaInst(base)))
        return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(event->instruction); i++) {
        expression argument =
            bridge_expression(flow->function->bridge, LLVMGetOperand(event->instruction, i));
        if (argument && base && bridge_base(flow->function->bridge, argument) == base)
            return true;
    }
    return false;
}

/* A handle that is overwritten can never be completed any more, if it was nowhere else. */
static bool loses_handle(struct flow *flow, const struct fact *fact, const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (!uses_request(op) || !event->requests)
        return false;
    struct moments moments = flow_moments(flow, fact, event->block);
    return slot_among(&moments, op->requests, event->requests, NULL) == ALWAYS &&
           !handle_is_copied(flow->function, op->requests);
}

/* Another process may have told us that it has everything (semantics §2, Request_free). */
static bool hears_from_others(const struct event *event)
{
    if (!event->routine)
        return false;
    return event->routine->order != ORDER_none || event->kind == EVENT_complete ||
           event->kind == EVENT_test || event->kind == EVENT_sync;
}

/* Waitany and Waitsome on several requests complete one of them, or some. Outside loops, and the
 * first time, all the others are still in progress: for Waitany, those that its index does not
 * name. */
static bool stays_after_any(struct flow *flow, struct fact *fact, const struct event *event)
{
    bool any = event->routine->object == OBJECT_any, some = event->routine->object == OBJECT_some;
    struct function *function = flow->function;
    int64_t count = 0, index;
    if ((!any && !some) || fact->partial ||
        bridge_loop(function->bridge, function->blocks[event->block]) >= 0)
        return false;
    if (!LLVMIsAConstantInt(event->nrequests) ||
        (count = LLVMConstIntGetSExtValue(event->nrequests)) < 2)
        return false;
    struct moments moments = flow_moments(flow, fact, event->block);
    if (!slot_index(&moments, function->events.items[fact->op].requests, event->requests, &index))
        return false;
    fact->partial = true;
    /* Nor does it say that there was nothing to wait for. */
    enum { UNDEFINED = -32766 }; /* with both MPIs */
    const int64_t others[] = {index, UNDEFINED};
    bool named = any && LLVMIsACallInst(event->instruction) &&
                 LLVMGetTypeKind(LLVMTypeOf(event->instruction)) == LLVMIntegerTypeKind;
    for (unsigned i = 0; named && i < sizeof others / sizeof others[0]; i++)
        fact_add_condition(fact, (struct condition){.value = event->instruction,
                                                    .number = others[i],
                                                    .negated = true,
                                                    .side = NOW});
    return true;
}

/* Memory that was given back belongs to whoever has it next: what happens there later is the same
 * mistake. A variable is the same one in every iteration, what was allocated is not. */
static bool loses_memory(const struct flow *flow, const struct fact *fact,
                         const struct event *event)
{
    const struct event *op = &flow->function->events.items[fact->op];
    LLVMValueRef base = event->nbuffers && event->buffers[0].whole ? event->buffers[0].base : NULL;
    if (!base || (fact->distance && !LLVMIsAAllocaInst(base)) ||
        flow_request_goes_too(flow, op, event))
        return false;
    for (unsigned i = 0; i < op->nbuffers; i++)
        if (!op->buffers[i].base ||
            alias_bases(flow->function, op->buffers[i].base, base) != ALIAS_same)
            return false; /* it has others */
    return op->nbuffers > 0;
}

/* True if the fact lives on. */
bool flow_pass_event(struct flow *flow, struct fact *fact, const struct event *event,
                     uint32_t number)
{
    const struct event *op = &flow->function->events.items[fact->op];
    if (fact->lost) {
        if (fact->lost == LOST_FREED && hears_from_others(event))
            return false;
        return true;
    }
    switch (event->kind) {
    case EVENT_complete: {
        if (flow->visit_progress && !ends_at_origin(flow, op))
            return true;
        if (flow_completes(flow, fact, event) == NEVER || stays_after_any(flow, fact, event))
            return true;
        if (op->kind != EVENT_prepare)
            return false;
        fact->begun = NOT_BEGUN;
        return true;
    }
    case EVENT_test:
        fact->not_yet = NULL;
        if (flow->visit_progress && !ends_at_origin(flow, op))
            return true;
        if (fact->begun != NOT_BEGUN && flow_completes(flow, fact, event) != NEVER) {
            fact->tested = number;
            fact->flag = event->instruction;
        }
        return true;
    case EVENT_activate:
        if (op->kind == EVENT_prepare && fact->begun == NOT_BEGUN &&
            flow_completes(flow, fact, event) != NEVER)
            fact->begun = number;
        return true;
    case EVENT_release:
        if (flow_completes(flow, fact, event) == NEVER)
            return true;
        fact->lost = LOST_FREED;
        return fact->begun != NOT_BEGUN;
    case EVENT_start:
    case EVENT_prepare:
        if (loses_handle(flow, fact, event))
            fact->lost = LOST_OVERWRITTEN;
        return true;
    case EVENT_issue:
    case EVENT_window:
        return true;
    case EVENT_sync:
        return !synchronises(flow, fact, event);
    case EVENT_call:
        return !hides_completion(flow, fact, event);
    case EVENT_access:
        return !loses_memory(flow, fact, event);
    }
    return true;
}
