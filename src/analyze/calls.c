/* Recognising calls of MPI in bitcode. */
#include "normalise.h"

#include <string.h>

bool value_is_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

LLVMValueRef call_target(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

static const char *without_prefix(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) ? name : name + length;
}

const struct routine *call_routine(LLVMValueRef call)
{
    LLVMValueRef callee = call_target(call);
    if (!callee || !LLVMIsDeclaration(callee))
        return NULL;
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    if (!strncmp(name, STAND_IN, strlen(STAND_IN)))
        name = without_prefix(without_prefix(name, STAND_IN_FLAG), STAND_IN_INDEX);
    if (!strncmp(name, "PMPI_", 5))
        name++;
    if (strncmp(name, "MPI", 3))
        return NULL;
    const struct routine *routine = routine_by_name(name);
    /* A function of the user's that has the name but not the arguments of an MPI routine. */
    return routine && routine->narguments == LLVMGetNumArgOperands(call) ? routine : NULL;
}

static bool matters(const struct routine *routine)
{
    return routine->verb != VERB_local && routine->verb != VERB_names;
}

static bool starts(const struct routine *routine)
{
    return routine->verb == VERB_starts || routine->verb == VERB_prepares ||
           routine->verb == VERB_issues || routine->verb == VERB_begins;
}

static bool has_call(LLVMValueRef function, bool (*wanted)(const struct routine *routine))
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            const struct routine *routine = value_is_call(at) ? call_routine(at) : NULL;
            if (routine && wanted(routine))
                return true;
        }
    return false;
}

bool function_calls_mpi(LLVMValueRef function)
{
    return has_call(function, matters);
}

bool function_starts_operations(LLVMValueRef function)
{
    return has_call(function, starts);
}
