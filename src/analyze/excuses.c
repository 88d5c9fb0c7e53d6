#include "excuses.h"

#include "normalise.h"

static bool is_called(LLVMModuleRef program, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(program, name);
    return function && LLVMGetFirstUse(function);
}

bool excuses_memory(LLVMModuleRef program)
{
    return is_called(program, "regatta_ignore");
}

bool excuses_order(LLVMModuleRef program)
{
    return is_called(program, "regatta_happens_before") ||
           is_called(program, "regatta_happens_after");
}

/* Without an address there is no telling. */
static bool may_meet(struct points *points, LLVMValueRef ignored, LLVMValueRef address)
{
    return !address || points_may_meet(points, ignored, address);
}

bool excuses_access(LLVMModuleRef program, struct points *points, LLVMValueRef first,
                    LLVMValueRef second)
{
    LLVMValueRef function = LLVMGetNamedFunction(program, "regatta_ignore");
    LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user) ||
            (LLVMIsAConstantExpr(user) &&
             LLVMGetConstOpcode(user) == LLVMICmp)) /* whether Regatta is there */
            continue;
        if (!LLVMIsACallInst(user) || call_target(user) != function)
            return true; /* called by a pointer, for whatever memory */
        LLVMValueRef ignored = LLVMGetOperand(user, 0);
        if (may_meet(points, ignored, first) && may_meet(points, ignored, second))
            return true;
    }
    return false;
}
