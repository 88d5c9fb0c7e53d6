/* Recognising calls of MPI in bitcode. */
#include "normalise.h"

#include "grow.h"

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

/* The routine that a declared function is, by its name. */
static const struct routine *declared_routine(LLVMValueRef callee)
{
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    if (!strncmp(name, STAND_IN, strlen(STAND_IN)))
        name = without_prefix(without_prefix(name, STAND_IN_FLAG), STAND_IN_INDEX);
    if (!strncmp(name, "PMPI_", 5))
        name++;
    return strncmp(name, "MPI", 3) ? NULL : routine_by_name(name);
}

const struct routine *call_routine(LLVMValueRef call)
{
    LLVMValueRef callee = call_target(call);
    if (!callee || !LLVMIsDeclaration(callee))
        return NULL;
    const struct routine *routine = declared_routine(callee);
    /* A function of the user's that has the name but not the arguments of an MPI routine. */
    return routine && routine->narguments == LLVMGetNumArgOperands(call) ? routine : NULL;
}

void each_mpi_call(LLVMModuleRef module,
                   void (*visit)(void *context, LLVMValueRef call, const struct routine *routine),
                   void *context)
{
    LIST(LLVMValueRef) calls = {0};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        const struct routine *routine =
            LLVMIsDeclaration(function) ? declared_routine(function) : NULL;
        if (!routine)
            continue;
        calls.count = 0;
        for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (value_is_call(user) && call_target(user) == function &&
                routine->narguments == LLVMGetNumArgOperands(user))
                APPEND(&calls, user);
        }
        for EACH (call, &calls)
            visit(context, *call, routine);
    }
    DROP(&calls);
}

bool role_may_be_written(enum role role)
{
    enum {
        BUFFER = 1,
        CURSOR = 1,
        POINTER = 1,
        SHAPE = 0,
        INTEGER = 0,
        ADDRESS = 0,
        OFFSET = 0,
        HANDLE = 0
    };
    static const bool written[ROLES] = {
        [ROLE_none] = true, /* calls.def does not say */
#define ROLE(name, how, type, large_type) [ROLE_##name] = how,
#include "mpi/roles.def"
#undef ROLE
    };
    return written[role] && role != ROLE_read && role != ROLE_base;
}

/* ---- what functions do with MPI ---- */

/* Most functions of a careful program lead to MPI_Abort somewhere: that is no reason to look at
 * them. */
static bool matters(const struct routine *routine)
{
    return !routine_is_local(routine) && routine->verb != VERB_names &&
           routine->verb != VERB_aborts;
}

static bool starts(const struct routine *routine)
{
    return routine->verb == VERB_starts || routine->verb == VERB_prepares ||
           routine->verb == VERB_issues || routine->verb == VERB_begins;
}

static bool follows(const struct routine *routine)
{
    switch (routine->verb) {
    case VERB_activates:
    case VERB_completes:
    case VERB_tests:
    case VERB_releases:
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
    case VERB_finishes:
        return true;
    default:
        return starts(routine);
    }
}

static const char calls_mark[] = "regatta-calls", starts_mark[] = "regatta-starts",
                  follows_mark[] = "regatta-follows";

static bool is_marked(LLVMValueRef function, const char *mark)
{
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, mark,
                                         (unsigned)strlen(mark)) != NULL;
}

static void mark(LLVMValueRef function, const char *mark)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    if (!is_marked(function, mark))
        LLVMAddAttributeAtIndex(
            function, LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(context, mark, (unsigned)strlen(mark), "", 0));
}

static void mark_caller(void *context, LLVMValueRef call, const struct routine *routine)
{
    (void)context;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    if (matters(routine))
        mark(caller, calls_mark);
    if (starts(routine))
        mark(caller, starts_mark);
    if (follows(routine))
        mark(caller, follows_mark);
}

void mark_mpi_callers(LLVMModuleRef module)
{
    each_mpi_call(module, mark_caller, NULL);
}

bool function_calls_mpi(LLVMValueRef function)
{
    return is_marked(function, calls_mark);
}

bool function_starts_operations(LLVMValueRef function)
{
    return is_marked(function, starts_mark);
}

bool function_moves_operations(LLVMValueRef function)
{
    return is_marked(function, follows_mark);
}
