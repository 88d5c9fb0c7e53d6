/* Operations in progress where a function returns, and with it the only variable that has their
 * request. */
#include "regions_inside.h"

#include "alias.h"

/* Tests that have not succeeded, waits for some of many and conditions that nobody understands say
 * nothing about what happens elsewhere. */
static bool is_certainly_open(const struct fact *fact)
{
    return fact->begun != NOT_BEGUN && fact->tested == NOT_TESTED && !fact->not_yet &&
           !fact->lost && !fact->partial && !fact->doubtful;
}

static bool keeps_only_handle(struct function *function, const struct event *op)
{
    expression slot = op->requests ? bridge_expression(function->bridge, op->requests) : NULL;
    LLVMValueRef variable = slot ? bridge_base(function->bridge, slot) : NULL;
    return variable && LLVMIsAAllocaInst(variable) && !alias_is_copied(function, variable);
}

/* Functions that return 0 if all went well: requests that are open where something else is
 * returned, after an error, are the least of its problems. */
static bool returns_failure(const struct fact *fact, LLVMValueRef end)
{
    LLVMValueRef phi = LLVMGetNumOperands(end) ? LLVMIsAPHINode(LLVMGetOperand(end, 0)) : NULL;
    bool says_success = false;
    if (!phi || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind)
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        says_success |= LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
    }
    for (unsigned i = 0; i < fact->nconditions; i++) {
        const struct condition *condition = &fact->conditions[i];
        if (condition->value == phi && condition->side == NOW && !condition->negated)
            return says_success && condition->number != 0;
    }
    return says_success;
}

void flow_look_for_leaks(struct flow *flow, unsigned block, const struct fact_list *facts)
{
    struct function *function = flow->function;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(function->blocks[block]);
    if (!flow->visit_leak || !LLVMIsAReturnInst(end))
        return;
    for EACH (fact, facts) {
        const struct event *op = &function->events.items[fact->op];
        uint64_t leak = (uint64_t)fact->op * 0xD1B54A32D192ED03u + 0x1EAC;
        if (op->kind == EVENT_issue || !is_certainly_open(fact) || returns_failure(fact, end) ||
            !keeps_only_handle(function, op) || !asked_first(function, leak))
            continue;
        struct moments moments = flow_moments(flow, fact, block);
        flow->visit_leak(flow->context, function,
                         &(struct leak){.opened = op,
                                        .begun = &function->events.items[fact->begun],
                                        .conditions = moments.conditions,
                                        .nconditions = (unsigned)moments.nconditions});
    }
}
