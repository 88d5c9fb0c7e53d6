#include "fortran_calls.h"

#include "derived.h"
#include "grow.h"
#include "normalise.h"

#include <llvm-c/DebugInfo.h>
#include <strings.h>

/* ---- which routine ---- */

/* "mpi_isend_" is MPI_Isend, "pmpi_isend_" as well; NULL for what is none. */
static const struct routine *fortran_routine(const char *name)
{
    name += name[0] == 'p';
    size_t length = strlen(name);
    if (strncmp(name, "mpi_", 4) != 0 || name[length - 1] != '_')
        return NULL;
    for (size_t i = 0; i < ROUTINES; i++)
        if (strlen(routines[i].name) == length - 1 &&
            !strncasecmp(routines[i].name, name, length - 1))
            return &routines[i];
    return NULL;
}

/* MPI_Init and MPI_Init_thread have the program's arguments in C only. */
static bool in_fortran(const struct routine *routine, unsigned argument)
{
    return routine->verb != VERB_initialises || argument >= 2;
}

/* ---- addresses that mean something ---- */

/* Variables in COMMON blocks of MPICH's mpif.h, and the addresses that mpi.h has for them. */
static const struct {
    const char *block;
    int64_t offset, meaning;
} special[] = {
    {"mpipriv1_", 0, 0},  /* MPI_BOTTOM */
    {"mpipriv1_", 4, -1}, /* MPI_IN_PLACE */
    {"mpipriv1_", 8, 1},  /* MPI_STATUS_IGNORE */
    {"mpipriv2_", 0, 1},  /* MPI_STATUSES_IGNORE */
    {"mpipriv2_", 20, 0}, /* MPI_ERRCODES_IGNORE */
};

static LLVMValueRef address_in_c(LLVMValueRef address)
{
    LLVMValueRef base = address;
    int64_t offset = 0;
    if (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr &&
        LLVMGetNumOperands(address) == 2) {
        base = LLVMGetOperand(address, 0);
        if (!constant_number(LLVMGetOperand(address, 1), &offset))
            offset = -1;
    }
    const char *block = LLVMIsAGlobalVariable(base) ? LLVMGetValueName2(base, &(size_t){0}) : "";
    LLVMTypeRef number = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(address)));
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (!strcmp(block, special[i].block) && offset == special[i].offset)
            return special[i].meaning
                       ? LLVMConstIntToPtr(
                             LLVMConstInt(number, (unsigned long long)special[i].meaning, true),
                             LLVMTypeOf(address))
                       : LLVMConstNull(LLVMTypeOf(address));
    return address;
}

/* ---- calls ---- */

static LLVMTypeRef type_in_c(LLVMContextRef context, enum passing passing)
{
    return passing == PASSING_pointer ? LLVMPointerTypeInContext(context, 0)
           : passing == PASSING_long  ? LLVMInt64TypeInContext(context)
                                      : LLVMInt32TypeInContext(context);
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* Counted from 1 in Fortran, but for MPI_UNDEFINED: with a variable of its own for what C says. */
static LLVMValueRef variable_for_index(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
    LLVMPositionBuilderBefore(builder, first);
    LLVMValueRef variable = LLVMBuildAlloca(builder, type, "");
    LLVMPositionBuilderBefore(builder, call);
    return variable;
}

static void store_index(LLVMBuilderRef builder, LLVMValueRef variable, LLVMValueRef target)
{
    enum { UNDEFINED = -32766 }; /* of MPICH */
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    LLVMValueRef index = LLVMBuildLoad2(builder, type, variable, "");
    LLVMValueRef none = LLVMBuildICmp(builder, LLVMIntEQ, index,
                                      LLVMConstInt(type, (unsigned long long)UNDEFINED, true), "");
    LLVMValueRef next = LLVMBuildAdd(builder, index, LLVMConstInt(type, 1, false), "");
    LLVMBuildStore(builder, LLVMBuildSelect(builder, none, index, next, ""), target);
}

static void rewrite(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call,
                    const struct routine *routine)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef types[ROUTINE_MAX_ARGUMENTS];
    LLVMValueRef arguments[ROUTINE_MAX_ARGUMENTS], index = NULL, index_target = NULL;
    unsigned given = LLVMGetNumArgOperands(call), next = 0;
    for (unsigned i = 0; i < routine->narguments; i++)
        next += in_fortran(routine, i);
    /* The lengths of texts stand behind ierror. */
    for (unsigned i = 0; i <= next; i++)
        if (given <= next || !is_pointer(LLVMGetOperand(call, i)))
            return;
    LLVMValueRef error = LLVMGetOperand(call, next);

    next = 0;
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    for (unsigned i = 0; i < routine->narguments; i++) {
        enum passing passing = routine->arguments[i].passing;
        types[i] = type_in_c(context, passing);
        if (!in_fortran(routine, i)) {
            arguments[i] = LLVMConstNull(types[i]);
            continue;
        }
        arguments[i] = address_in_c(LLVMGetOperand(call, next++));
        if (passing != PASSING_pointer) {
            arguments[i] = LLVMBuildLoad2(builder, types[i], arguments[i], "");
        } else if (routine->arguments[i].role == ROLE_index) {
            index_target = arguments[i];
            arguments[i] = index = variable_for_index(builder, call);
        }
    }
    LLVMTypeRef type =
        LLVMFunctionType(LLVMInt32TypeInContext(context), types, routine->narguments, false);
    LLVMValueRef function = LLVMGetNamedFunction(module, routine->name);
    if (!function)
        function = LLVMAddFunction(module, routine->name, type);
    LLVMValueRef result =
        LLVMBuildCall2(builder, type, function, arguments, routine->narguments, "");
    if (index)
        store_index(builder, index, index_target);
    LLVMBuildStore(builder, result, error);
    LLVMInstructionEraseFromParent(call);
}

typedef LIST(LLVMValueRef) call_list;

static void find_calls(LLVMValueRef function, call_list *calls)
{
    calls->count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && call_target(user) == function)
            APPEND(calls, user);
    }
}

/* ---- sections of arrays ---- */

/* A descriptor is { address, …, [ { lower bound, extent, stride } … ] }. Whether all strides of
 * the value were taken from somewhere as they are, not computed. */
static bool strides_are_given(LLVMValueRef value)
{
    enum { DIMENSIONS = 7, STRIDE = 2 };
    for (; LLVMIsAInsertValueInst(value); value = LLVMGetOperand(value, 0)) {
        const unsigned *at = LLVMGetIndices(value);
        LLVMValueRef part = LLVMGetOperand(value, 1);
        if (LLVMGetNumIndices(value) == 3 && at[0] == DIMENSIONS && at[2] == STRIDE &&
            !LLVMIsALoadInst(part))
            return false;
    }
    return true;
}

/* What is passed to MPI as a whole, an array of assumed shape or a pointer to one, is taken as
 * contiguous: otherwise the compiler packs it into a copy, as it does with sections: about those
 * the program's own memory tells nothing. */
static bool is_whole(LLVMValueRef call)
{
    LLVMValueRef descriptor = LLVMGetOperand(call, 0), stored = NULL;
    if (!LLVMIsAAllocaInst(descriptor))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(descriptor); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != descriptor)
            continue;
        if (stored)
            return false;
        stored = LLVMGetOperand(user, 0);
    }
    return stored && strides_are_given(stored);
}

static void decide_contiguity(LLVMModuleRef module, call_list *calls)
{
    LLVMValueRef asks = LLVMGetNamedFunction(module, "_FortranAIsContiguous");
    if (!asks)
        return;
    find_calls(asks, calls);
    for EACH (call, calls) {
        LLVMReplaceAllUsesWith(*call, LLVMConstInt(LLVMTypeOf(*call), is_whole(*call), false));
        LLVMInstructionEraseFromParent(*call);
    }
}

void fortran_calls_to_c(LLVMModuleRef module)
{
    call_list calls = {0};
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        const char *name = LLVMGetValueName2(function, &(size_t){0});
        const struct routine *routine = LLVMIsDeclaration(function) ? fortran_routine(name) : NULL;
        if (!routine)
            continue;
        find_calls(function, &calls);
        for EACH (call, &calls)
            rewrite(builder, module, *call, routine);
    }
    decide_contiguity(module, &calls);
    LLVMDisposeBuilder(builder);
    DROP(&calls);
}
