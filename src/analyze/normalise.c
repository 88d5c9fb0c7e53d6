#include "normalise.h"

#include "bridge.h"
#include "draws.h"
#include "grow.h"
#include "inline.h"
#include "one_thread.h"
#include "points.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Transforms/PassBuilder.h>

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* Marks of -O0 code and of its authors that would keep passes and inlining away. */
static void unlock_functions(LLVMModuleRef module)
{
    const unsigned locks[] = {attribute_kind("optnone"), attribute_kind("noinline")};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        for (size_t i = 0; i < sizeof locks / sizeof locks[0]; i++)
            LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, locks[i]);
}

static void add_attribute(LLVMValueRef function, unsigned index, const char *name, uint64_t value)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, index,
                            LLVMCreateEnumAttribute(context, attribute_kind(name), value));
}

/* MPI keeps no pointer to these after the call, so that variables used only there stay local. */
static bool keeps_no_pointer(const struct routine *routine, enum role role)
{
    switch (role) {
    case ROLE_flag:
    case ROLE_index:
    case ROLE_outcount:
    case ROLE_status:
    case ROLE_request:
    case ROLE_new_request:
    case ROLE_requests:
    case ROLE_new_win:
    case ROLE_new_comm:
        return true;
    default:
        return routine_is_local(routine) || routine->verb == VERB_initialises;
    }
}

static void describe_routine(LLVMValueRef function, const struct routine *routine)
{
    unsigned count = LLVMCountParams(function);
    for (unsigned i = 0; i < count && i < routine->narguments; i++) {
        LLVMValueRef parameter = LLVMGetParam(function, i);
        if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind &&
            keeps_no_pointer(routine, routine->arguments[i].role) &&
            routine->arguments[i].role != ROLE_type && routine->arguments[i].role != ROLE_comm &&
            routine->arguments[i].role != ROLE_win)
            add_attribute(function, i + 1, "nocapture", 0);
    }
    add_attribute(function, LLVMAttributeFunctionIndex, "nounwind", 0);
    if (routine->verb == VERB_aborts)
        add_attribute(function, LLVMAttributeFunctionIndex, "noreturn", 0);
}

/* A stand-in with these parameter types that returns an int. Pure ones (rank, size) give the same
 * answer for the same arguments whenever they are called. */
static LLVMValueRef stand_in(LLVMModuleRef module, const char *name, LLVMTypeRef *parameters,
                             unsigned count, bool pure)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (function)
        return function;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(context), parameters, count, false);
    function = LLVMAddFunction(module, name, type);
    add_attribute(function, LLVMAttributeFunctionIndex, "nounwind", 0);
    add_attribute(function, LLVMAttributeFunctionIndex, "willreturn", 0);
    if (pure) {
        add_attribute(function, LLVMAttributeFunctionIndex, "memory", 0);
        add_attribute(function, LLVMAttributeFunctionIndex, "speculatable", 0);
    }
    return function;
}

/* MPI_Comm_rank(comm, &rank) → rank = regatta.rank(comm), and alike for the size. */
static void replace_query(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef call,
                          const char *name)
{
    LLVMValueRef comm = LLVMGetOperand(call, 0);
    LLVMTypeRef parameters[] = {LLVMTypeOf(comm)};
    LLVMValueRef function = stand_in(module, name, parameters, 1, true);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef value =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, &comm, 1, "");
    LLVMBuildStore(builder, value, LLVMGetOperand(call, 1));
    LLVMInstructionEraseFromParent(call);
}

/* MPI_Test(request, &flag, status) → flag = regatta.flag.MPI_Test(request, NULL, status): the flag
 * becomes a value that branches can be followed by. */
static void replace_result(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef call,
                           const struct routine *routine, const char *prefix, unsigned result)
{
    char name[128];
    snprintf(name, sizeof name, "%s%s", prefix, routine->name);
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef arguments[ROUTINE_MAX_ARGUMENTS];
    LLVMTypeRef types[ROUTINE_MAX_ARGUMENTS];
    for (unsigned i = 0; i < count; i++) {
        arguments[i] = LLVMGetOperand(call, i);
        types[i] = LLVMTypeOf(arguments[i]);
    }
    LLVMValueRef target = arguments[result];
    arguments[result] = LLVMConstNull(types[result]);
    LLVMValueRef function = stand_in(module, name, types, count, false);
    describe_routine(function, routine);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef value =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
    LLVMBuildStore(builder, value, target);
    LLVMInstructionEraseFromParent(call);
}

static int argument_of_role(const struct routine *routine, enum role role)
{
    for (int i = 0; i < routine->narguments; i++)
        if (routine->arguments[i].role == role)
            return i;
    return -1;
}

struct rewriting {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
};

static void rewrite_call(void *context, LLVMValueRef call, const struct routine *routine)
{
    const struct rewriting *rewriting = context;
    LLVMModuleRef module = rewriting->module;
    LLVMBuilderRef builder = rewriting->builder;
    LLVMTypeRef type = LLVMTypeOf(call);
    const char *callee = LLVMGetValueName2(call_target(call), &(size_t){0});
    if (!strncmp(callee, STAND_IN, strlen(STAND_IN)))
        return;
    describe_routine(call_target(call), routine);
    /* What MPI may do to the arguments of main leaves at least the name of the program. */
    for (unsigned i = 0;
         routine->verb == VERB_initialises && i < 2 && LLVMGetNumArgOperands(call) >= 2; i++)
        LLVMSetOperand(call, i, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, i))));
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32 &&
        !routine_is_local(routine))
        LLVMReplaceAllUsesWith(call, LLVMConstNull(type));
    /* Exceptions do not come out of MPI. */
    if (LLVMIsAInvokeInst(call))
        call = bridge_invoke_to_call(call);
    if (routine == &routines[ROUTINE_Comm_rank] || routine == &routines[ROUTINE_Comm_size]) {
        LLVMReplaceAllUsesWith(call, LLVMConstNull(type));
        replace_query(module, builder, call,
                      routine == &routines[ROUTINE_Comm_rank] ? STAND_IN_RANK : STAND_IN_SIZE);
        return;
    }
    int flag = argument_of_role(routine, ROLE_flag), index = argument_of_role(routine, ROLE_index);
    if (flag >= 0 && (routine->verb == VERB_tests || routine->verb == VERB_peeks))
        replace_result(module, builder, call, routine, STAND_IN_FLAG, (unsigned)flag);
    else if (index >= 0 && routine->verb == VERB_completes)
        replace_result(module, builder, call, routine, STAND_IN_INDEX, (unsigned)index);
}

static void rewrite_calls(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct rewriting rewriting = {module, LLVMCreateBuilderInContext(context)};
    each_mpi_call(module, rewrite_call, &rewriting);
    LLVMDisposeBuilder(rewriting.builder);
}

static void run_passes(LLVMModuleRef module, const char *passes)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    if (error) {
        char *message = LLVMGetErrorMessage(error);
        fprintf(stderr, "regatta: LLVM: %s\n", message);
        LLVMDisposeErrorMessage(message);
    }
    LLVMDisposePassBuilderOptions(options);
}

static LLVMValueRef stand_in_call(LLVMValueRef value)
{
    if (!LLVMIsACallInst(value) || !call_target(value))
        return NULL;
    const char *name = LLVMGetValueName2(call_target(value), &(size_t){0});
    bool pure = !strcmp(name, STAND_IN_RANK) || !strcmp(name, STAND_IN_SIZE);
    return pure && LLVMIsConstant(LLVMGetOperand(value, 0)) ? value : NULL;
}

/* The one query (rank or size of one communicator) whose results are all that is ever stored in
 * the variable; its initial value if nothing is; NULL if neither is sure. */
static LLVMValueRef only_value_stored(LLVMValueRef global)
{
    LLVMValueRef query = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(global); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && LLVMGetOperand(user, 0) == global)
            continue;
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != global)
            return NULL;
        LLVMValueRef stored = stand_in_call(LLVMGetOperand(user, 0));
        if (!stored || (query && (call_target(query) != call_target(stored) ||
                                  LLVMGetOperand(query, 0) != LLVMGetOperand(stored, 0))))
            return NULL;
        query = stored;
    }
    return query ? query : LLVMGetInitializer(global);
}

/* `int rank;` at file scope, set once by MPI_Comm_rank: loads of it are the rank. A variable that
 * is never set is its initial value. (LLVM's own pass for this, globalopt, also removes variables
 * that are only written, and with them accesses that race.) */
static void replace_variables(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef global = LLVMGetFirstGlobal(module); global;
         global = LLVMGetNextGlobal(global)) {
        LLVMTypeRef type = LLVMGlobalGetValueType(global);
        if (LLVMIsDeclaration(global) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
            continue;
        LLVMValueRef value = only_value_stored(global);
        for (LLVMUseRef use = value ? LLVMGetFirstUse(global) : NULL, next; use; use = next) {
            next = LLVMGetNextUse(use);
            LLVMValueRef load = LLVMGetUser(use), replacement = value;
            if (!LLVMIsALoadInst(load) || LLVMTypeOf(load) != LLVMTypeOf(value) ||
                (LLVMGetVolatile(load) && !LLVMIsConstant(value)))
                continue; /* what nobody ever sets nobody changes, whatever it is declared to be */
            if (!LLVMIsConstant(value)) {
                LLVMValueRef function = call_target(value), comm = LLVMGetOperand(value, 0);
                LLVMPositionBuilderBefore(builder, load);
                LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(load));
                replacement = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function,
                                             &comm, 1, "");
            }
            LLVMReplaceAllUsesWith(load, replacement);
            LLVMInstructionEraseFromParent(load);
        }
    }
    LLVMDisposeBuilder(builder);
}

/* A copy of MPI_COMM_WORLD has its processes in its order (MPI-4.0 7.4.2): for who waits for whom,
 * and for ranks and windows, it is the same. */
static void note_copy(void *context, LLVMValueRef call, const struct routine *routine)
{
    LLVMBuilderRef builder = context;
    LLVMValueRef next = LLVMGetNextInstruction(call);
    int copy = argument_of_role(routine, ROLE_new_comm);
    if (copy < 0 || !next || !comm_is_world(LLVMGetOperand(call, 0)) ||
        (routine != &routines[ROUTINE_Comm_dup] &&
         routine != &routines[ROUTINE_Comm_dup_with_info]))
        return;
    LLVMPositionBuilderBefore(builder, next);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMBuildStore(builder, LLVMGetOperand(call, 0), LLVMGetOperand(call, (unsigned)copy));
}

static void note_copies_of_world(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    each_mpi_call(module, note_copy, builder);
    LLVMDisposeBuilder(builder);
}

enum { FEW_CALLEES = 4 };

struct resolved {
    LLVMValueRef call, callees[FEW_CALLEES];
    size_t count;
};

/* Calls through pointers that can only reach a few functions become calls of those. */
static void resolve_calls(LLVMModuleRef module, struct points *points)
{
    LIST(struct resolved) known = {0};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at)) {
                LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
                if ((opcode != LLVMCall && opcode != LLVMInvoke) ||
                    LLVMIsAFunction(LLVMGetCalledValue(at)) ||
                    LLVMIsAInlineAsm(LLVMGetCalledValue(at)))
                    continue;
                struct resolved entry = {.call = at};
                entry.count = points_callees(points, at, entry.callees, FEW_CALLEES);
                if (entry.count)
                    APPEND(&known, entry);
            }
    for EACH (entry, &known)
        bridge_resolve_call(entry->call, entry->callees, entry->count);
    DROP(&known);
}

/* Only functions that start operations are looked at closely. Passes skip what is marked like this,
 * and the pointer analysis, which needs the whole program, takes it as it is. */
static void leave_alone(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function) &&
            (function_is_absorbed(function) || !function_starts_operations(function))) {
            add_attribute(function, LLVMAttributeFunctionIndex, "noinline", 0);
            add_attribute(function, LLVMAttributeFunctionIndex, "optnone", 0);
        }
}

/* `flag ? buffer[0] : 0` must not become a load whatever the flag says: the attribute tells LLVM
 * that a load which the source does not have is one too many. */
static void keep_loads_in_place(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function))
            add_attribute(function, LLVMAttributeFunctionIndex, "sanitize_thread", 0);
}

/* Compilers mark where the block of a variable ends, if they optimise. What counts is where its
 * function ends, which inlining marks. */
static void remove_scopes(LLVMModuleRef module)
{
    static const char *const marks[] = {"llvm.lifetime.start.p0", "llvm.lifetime.end.p0"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        LLVMValueRef mark = LLVMGetNamedFunction(module, marks[i]);
        for (LLVMUseRef use = mark ? LLVMGetFirstUse(mark) : NULL, next; use; use = next) {
            next = LLVMGetNextUse(use);
            LLVMInstructionEraseFromParent(LLVMGetUser(use));
        }
    }
}

struct left_out normalise(LLVMModuleRef module, bool is_program, enum flavour flavour,
                          struct stages *stages)
{
    stage_enter(stages, STAGE_calls);
    unlock_functions(module);
    remove_scopes(module);
    openmp_with_one_thread(module);
    rewrite_calls(module);
    stage_enter(stages, STAGE_normalise);
    run_passes(module, "function(mem2reg)");
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        bridge_split_returns(at);
    stage_enter(stages, STAGE_calls);
    mark_mpi_callers(module);
    stage_enter(stages, STAGE_resolve);
    struct points *points = points_solve(module);
    resolve_calls(module, points);
    stage_enter(stages, STAGE_inlining);
    struct left_out left_out = inline_relevant(module, is_program, points, flavour);
    points_free(points);
    stage_enter(stages, STAGE_calls);
    mark_mpi_callers(module);
    note_copies_of_world(module);
    if (is_program)
        replace_variables(module);
    leave_alone(module);
    keep_loads_in_place(module);
    stage_enter(stages, STAGE_normalise);
    run_passes(module,
               "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
               "simplifycfg,sroa,early-cse,loop-simplify,lcssa)");
    return left_out;
}
