/* The constraints that a program means: of its instructions, calls, constants and global variables.
 * See points.c for the kinds. */
#include "points_inside.h"

#include "alias.h"

#include "normalise.h"

/* ---- addresses computed from addresses ---- */

static void element_constraint(struct points *points, uint32_t from, uint32_t to, int64_t stride,
                               int64_t length)
{
    points_add_constraint(
        points, from,
        (struct constraint){.kind = ELEMENT, .other = to, .number = stride, .length = length});
}

/* Walks the indices of a getelementptr; each step of a constant number of bytes is added up, each
 * step by an unknown index is a constraint of its own. */
static void address_arithmetic(struct points *points, LLVMValueRef gep, uint32_t to)
{
    uint32_t at = points_node(points, LLVMGetOperand(gep, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int64_t bytes = 0;
    int count = LLVMGetNumOperands(gep);
    for (int i = 1; i < count; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        int64_t step = 0, length = 0;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            bytes += (int64_t)LLVMOffsetOfElement(points->data, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1) {
            bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
            length = is_array ? (int64_t)LLVMGetArrayLength2(type) : 0;
            type = LLVMGetElementType(type);
        }
        if (!LLVMTypeIsSized(type))
            continue;
        step = (int64_t)LLVMABISizeOfType(points->data, type);
        if (LLVMIsAConstantInt(index)) {
            bytes += step * LLVMConstIntGetSExtValue(index);
            continue;
        }
        uint32_t next = points_new_node(points), moved = at;
        if (bytes) {
            moved = points_new_node(points);
            points_add_constraint(
                points, at, (struct constraint){.kind = OFFSET, .other = moved, .number = bytes});
            bytes = 0;
        }
        element_constraint(points, moved, next, step, length * step);
        at = next;
    }
    if (bytes)
        points_add_constraint(points, at,
                              (struct constraint){.kind = OFFSET, .other = to, .number = bytes});
    else
        points_add_copy(points, at, to);
}

/* ---- values ---- */

static void constant_node(struct points *points, LLVMValueRef value, uint32_t node)
{
    if (LLVMIsAFunction(value) || LLVMIsAGlobalVariable(value)) {
        points_address_of(points, node, value);
        return;
    }
    if (LLVMIsAGlobalAlias(value)) {
        points_add_copy(points, points_node(points, LLVMAliasGetAliasee(value)), node);
        return;
    }
    if (LLVMIsAConstantExpr(value)) {
        switch (LLVMGetConstOpcode(value)) {
        case LLVMGetElementPtr:
            address_arithmetic(points, value, node);
            return;
        case LLVMBitCast:
        case LLVMAddrSpaceCast:
            points_add_copy(points, points_node(points, LLVMGetOperand(value, 0)), node);
            return;
        default:
            return; /* MPI_IN_PLACE and its like */
        }
    }
}

uint32_t points_node(struct points *points, LLVMValueRef value)
{
    uint32_t number = value_map_get(&points->values, value);
    if (number == VALUE_MAP_NONE) {
        number = points_new_node(points);
        value_map_add(&points->values, value, number);
        if (LLVMIsConstant(value))
            constant_node(points, value, number);
    }
    return number;
}

static uint32_t result_of(struct points *points, LLVMValueRef function)
{
    uint32_t object = points_object_of(points, function);
    if (points->returned.items[object] == UINT32_MAX) {
        uint32_t node = points_new_node(points);
        points->returned.items[object] = node;
    }
    return points->returned.items[object];
}

/* Contents of global variables: every pointer in the initialiser, at its offset. */
static void initialise(struct points *points, LLVMValueRef global, LLVMValueRef constant,
                       int64_t offset, int depth)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind) {
        if (!LLVMIsNull(constant))
            points_add_copy(points, points_node(points, constant),
                            points_place_at(points, points_object_of(points, global), offset));
        return;
    }
    bool is_struct = kind == LLVMStructTypeKind, is_array = kind == LLVMArrayTypeKind;
    if (depth == 0 || (!is_struct && !is_array) || LLVMIsNull(constant) ||
        LLVMIsAConstantDataSequential(constant))
        return;
    int count = LLVMGetNumOperands(constant);
    for (int i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetOperand(constant, (unsigned)i);
        int64_t at = is_struct ? (int64_t)LLVMOffsetOfElement(points->data, type, (unsigned)i)
                               : i * (int64_t)LLVMABISizeOfType(points->data, LLVMTypeOf(element));
        initialise(points, global, element, offset + at, depth - 1);
    }
}

/* ---- calls ---- */

static bool allocates(const char *name)
{
    static const char *const names[] = {"malloc", "calloc", "realloc", "aligned_alloc", "memalign",
                                        "valloc", "strdup", "_Znwm",   "_Znam",         "fopen"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strncmp(name, names[i], strlen(names[i])) &&
            (name[0] == '_' || !strcmp(name, names[i])))
            return true;
    return false;
}

/* MPI routines that hand out memory: *argument points to a new object. */
static int handed_out(const struct routine *routine)
{
    if (!strncmp(routine->name, "MPI_Alloc_mem", 13))
        return 2;
    for (int i = 0; i < routine->narguments; i++)
        if (routine->arguments[i].role == ROLE_new_base)
            return i;
    return -1;
}

static void external_call(struct points *points, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = LLVMGetValueName2(callee, &(size_t){0});
    unsigned count = LLVMGetNumArgOperands(call);
    const struct routine *routine = call_routine(call);
    int base = routine ? handed_out(routine) : -1;
    if (base >= 0) {
        uint32_t content = points_new_node(points);
        points_address_of(points, content, call);
        points_add_constraint(points, points_node(points, LLVMGetOperand(call, (unsigned)base)),
                              (struct constraint){.kind = STORE, .other = content});
        return;
    }
    bool copies = !strncmp(name, "llvm.memcpy", 11) || !strncmp(name, "llvm.memmove", 12) ||
                  !strcmp(name, "memcpy") || !strcmp(name, "memmove");
    if (copies && count >= 2) {
        uint32_t between = points_new_node(points);
        points_add_constraint(points, points_node(points, LLVMGetOperand(call, 1)),
                              (struct constraint){.kind = COPY_ALL_FROM, .other = between});
        points_add_constraint(points, points_node(points, LLVMGetOperand(call, 0)),
                              (struct constraint){.kind = COPY_ALL_TO, .other = between});
    }
    if (!points_is_pointer(call))
        return;
    if (allocates(name)) {
        points_address_of(points, points_node(points, call), call);
        if (!strcmp(name, "realloc")) {
            uint32_t between = points_new_node(points);
            points_add_constraint(points, points_node(points, LLVMGetOperand(call, 0)),
                                  (struct constraint){.kind = COPY_ALL_FROM, .other = between});
            points_add_constraint(points, points_node(points, call),
                                  (struct constraint){.kind = COPY_ALL_TO, .other = between});
        }
    } else if (!strncmp(name, "mem", 3) || !strncmp(name, "str", 3)) {
        if (count && points_is_pointer(LLVMGetOperand(call, 0)))
            points_add_copy(points, points_node(points, LLVMGetOperand(call, 0)),
                            points_node(points, call));
    } else if (function_changes_strings(callee)) {
        /* What a string holds counts as part of it. */
        if (strstr(name, "_M_create"))
            points_address_of(points, points_node(points, call), call);
        else if (count && points_is_pointer(LLVMGetOperand(call, 0)))
            points_add_copy(points, points_node(points, LLVMGetOperand(call, 0)),
                            points_node(points, call));
    } else if (!routine) {
        points_make_anything(points, points_node(points, call));
    }
}

void points_bind_call(struct points *points, LLVMValueRef call, LLVMValueRef callee)
{
    if (LLVMIsDeclaration(callee)) {
        external_call(points, call, callee);
        return;
    }
    unsigned count = LLVMGetNumArgOperands(call), parameters = LLVMCountParams(callee);
    for (unsigned i = 0; i < count && i < parameters; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i), parameter = LLVMGetParam(callee, i);
        if (points_is_pointer(argument) && points_is_pointer(parameter))
            points_add_copy(points, points_node(points, argument), points_node(points, parameter));
    }
    if (points_is_pointer(call))
        points_add_copy(points, result_of(points, callee), points_node(points, call));
}

static void call_constraints(struct points *points, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAFunction(callee))
        points_bind_call(points, call, callee);
    else if (LLVMIsAInlineAsm(callee)) {
        if (points_is_pointer(call))
            points_make_anything(points, points_node(points, call));
    } else
        points_add_constraint(points, points_node(points, callee),
                              (struct constraint){.kind = CALL, .call = call});
}

/* ---- instructions ---- */

static void instruction_constraints(struct points *points, LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMCall:
    case LLVMInvoke:
        call_constraints(points, at);
        return;
    case LLVMAlloca:
        points_address_of(points, points_node(points, at), at);
        return;
    case LLVMGetElementPtr:
        if (points_is_pointer(at))
            address_arithmetic(points, at, points_node(points, at));
        return;
    case LLVMLoad:
        if (points_is_pointer(at))
            points_add_constraint(
                points, points_node(points, LLVMGetOperand(at, 0)),
                (struct constraint){.kind = LOAD, .other = points_node(points, at)});
        return;
    case LLVMStore:
        if (points_is_pointer(LLVMGetOperand(at, 0)))
            points_add_constraint(
                points, points_node(points, LLVMGetOperand(at, 1)),
                (struct constraint){.kind = STORE,
                                    .other = points_node(points, LLVMGetOperand(at, 0))});
        return;
    case LLVMPHI:
        for (unsigned i = 0; points_is_pointer(at) && i < LLVMCountIncoming(at); i++)
            points_add_copy(points, points_node(points, LLVMGetIncomingValue(at, i)),
                            points_node(points, at));
        return;
    case LLVMSelect:
        for (unsigned i = 1; points_is_pointer(at) && i < 3; i++)
            points_add_copy(points, points_node(points, LLVMGetOperand(at, i)),
                            points_node(points, at));
        return;
    case LLVMRet:
        if (LLVMGetNumOperands(at) == 1 && points_is_pointer(LLVMGetOperand(at, 0)))
            points_add_copy(
                points, points_node(points, LLVMGetOperand(at, 0)),
                result_of(points, LLVMGetBasicBlockParent(LLVMGetInstructionParent(at))));
        return;
    case LLVMFreeze:
        if (points_is_pointer(at))
            points_add_copy(points, points_node(points, LLVMGetOperand(at, 0)),
                            points_node(points, at));
        return;
    default:
        if (points_is_pointer(at))
            points_make_anything(points, points_node(points, at));
    }
}

/* Functions that somebody outside may call get pointers to anything. */
static bool called_from_outside(LLVMValueRef function, bool is_program)
{
    if (is_program)
        return !strcmp(LLVMGetValueName2(function, &(size_t){0}), "main");
    return LLVMGetLinkage(function) != LLVMInternalLinkage &&
           LLVMGetLinkage(function) != LLVMPrivateLinkage;
}

void points_collect(struct points *points)
{
    LLVMValueRef main_function = LLVMGetNamedFunction(points->module, "main");
    bool is_program = main_function && !LLVMIsDeclaration(main_function);
    for (LLVMValueRef global = LLVMGetFirstGlobal(points->module); global;
         global = LLVMGetNextGlobal(global))
        if (!LLVMIsDeclaration(global) && LLVMGetInitializer(global))
            initialise(points, global, LLVMGetInitializer(global), 0, 6);
    for (LLVMValueRef function = LLVMGetFirstFunction(points->module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function))
            continue;
        for (unsigned i = 0; i < LLVMCountParams(function); i++)
            if (points_is_pointer(LLVMGetParam(function, i)) &&
                (called_from_outside(function, is_program) || !LLVMGetFirstUse(function)))
                points_make_anything(points, points_node(points, LLVMGetParam(function, i)));
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at))
                instruction_constraints(points, at);
    }
}

void points_learn(struct points *points, LLVMValueRef value)
{
    enum { OPERANDS = 64 };
    if (!LLVMIsAInstruction(value) || !points_is_pointer(value) ||
        value_map_get(&points->values, value) != VALUE_MAP_NONE)
        return;
    points_node(points, value); /* before its operands: phis go in circles */
    for (int i = 0; i < LLVMGetNumOperands(value) && i < OPERANDS; i++)
        points_learn(points, LLVMGetOperand(value, (unsigned)i));
    instruction_constraints(points, value);
    points_settle(points);
}
