#include "one_thread.h"

#include "grow.h"
#include "normalise.h"

#include <llvm-c/DebugInfo.h>

/* What the runtime's functions answer in a team of one, and those that then do nothing. */
static const struct {
    const char *name;
    int answer; /* -1: none */
} calls[] = {
    {"__kmpc_global_thread_num", 0},
    {"omp_get_thread_num", 0},
    {"omp_get_num_threads", 1},
    {"__kmpc_single", 1},
    {"__kmpc_master", 1},
    {"__kmpc_reduce", 1},
    {"__kmpc_reduce_nowait", 1},
    {"__kmpc_for_static_init_4", -1},
    {"__kmpc_for_static_init_4u", -1},
    {"__kmpc_for_static_init_8", -1},
    {"__kmpc_for_static_init_8u", -1},
    {"__kmpc_for_static_fini", -1},
    {"__kmpc_barrier", -1},
    {"__kmpc_push_num_threads", -1},
    {"__kmpc_critical", -1},
    {"__kmpc_end_critical", -1},
    {"__kmpc_end_single", -1},
    {"__kmpc_end_master", -1},
    {"__kmpc_end_reduce", -1},
    {"__kmpc_end_reduce_nowait", -1},
    {"__kmpc_serialized_parallel", -1},
    {"__kmpc_end_serialized_parallel", -1},
};

/* The bounds of a loop are there before the call, and one thread has them all; chunks would have a
 * stride that only the runtime knows. */
static bool is_understood(LLVMValueRef call, const char *name)
{
    enum { WHOLE = 34 };
    if (strncmp(name, "__kmpc_for_static_init", 22))
        return true;
    LLVMValueRef schedule = LLVMGetOperand(call, 2);
    return LLVMIsAConstantInt(schedule) && LLVMConstIntGetZExtValue(schedule) == WHOLE;
}

/* Whether all that the region asks of the runtime has an answer here. */
static bool asks_no_more(LLVMValueRef function, int depth)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            LLVMValueRef callee = value_is_call(at) ? call_target(at) : NULL;
            const char *name = callee ? LLVMGetValueName2(callee, &(size_t){0}) : "";
            bool known = strncmp(name, "__kmpc_", 7) && strncmp(name, "omp_", 4);
            known |= !strncmp(name, "omp_get_", 8) || !strcmp(name, "__kmpc_fork_call");
            for (size_t i = 0; !known && i < sizeof calls / sizeof calls[0]; i++)
                known = !strcmp(name, calls[i].name) && is_understood(at, name);
            if (!known || (callee && depth > 0 && !LLVMIsDeclaration(callee) &&
                           !asks_no_more(callee, depth - 1)))
                return false;
        }
    return true;
}

bool openmp_is_followed(LLVMValueRef function)
{
    return asks_no_more(function, 0);
}

static void answer(LLVMModuleRef module, const char *name, int number)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || call_target(call) != function || !is_understood(call, name))
            continue;
        if (number >= 0)
            LLVMReplaceAllUsesWith(
                call, LLVMConstInt(LLVMTypeOf(call), (unsigned long long)number, false));
        LLVMInstructionEraseFromParent(call);
    }
}

/* __kmpc_fork_call(place, n, region, n arguments) → region(&thread, &thread, arguments) */
static void call_region(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef fork)
{
    enum { ARGUMENTS = 64, DEPTH = 3 };
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef number = LLVMInt32TypeInContext(context);
    LLVMValueRef region = LLVMGetOperand(fork, 2), arguments[ARGUMENTS];
    unsigned count = LLVMGetNumArgOperands(fork) - 1;
    if (!LLVMIsAFunction(region) || LLVMIsDeclaration(region) || count > ARGUMENTS ||
        LLVMCountParams(region) != count || !asks_no_more(region, DEPTH))
        return;
    LLVMValueRef thread = LLVMGetNamedGlobal(module, STAND_IN "thread");
    if (!thread) {
        thread = LLVMAddGlobal(module, number, STAND_IN "thread");
        LLVMSetInitializer(thread, LLVMConstInt(number, 0, false));
        LLVMSetGlobalConstant(thread, true);
        LLVMSetLinkage(thread, LLVMInternalLinkage);
    }
    arguments[0] = arguments[1] = thread;
    for (unsigned i = 2; i < count; i++) {
        arguments[i] = LLVMGetOperand(fork, i + 1);
        if (LLVMTypeOf(arguments[i]) != LLVMTypeOf(LLVMGetParam(region, i)))
            return;
    }
    LLVMPositionBuilderBefore(builder, fork);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(fork));
    LLVMBuildCall2(builder, LLVMGlobalGetValueType(region), region, arguments, count, "");
    LLVMInstructionEraseFromParent(fork);
}

void openmp_with_one_thread(LLVMModuleRef module)
{
    LLVMValueRef fork = LLVMGetNamedFunction(module, "__kmpc_fork_call");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMUseRef use = fork ? LLVMGetFirstUse(fork) : NULL, next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(call) && call_target(call) == fork)
            call_region(module, builder, call);
    }
    LLVMDisposeBuilder(builder);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        answer(module, calls[i].name, calls[i].answer);
}
