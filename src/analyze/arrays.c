#include "arrays.h"

#include "bridge.h"
#include "normalise.h"

#include <llvm-c/Target.h>
#include <string.h>

/* A search for the only thing that is ever put into some bytes of a variable. */
struct search {
    LLVMTargetDataRef data;
    LLVMValueRef variable;
    int64_t start; /* of the bytes, from the start of the variable */
    unsigned bytes;
    LLVMValueRef found;
    bool lost; /* something else may be put there */
};

static LLVMModuleRef module_of(LLVMValueRef variable)
{
    return LLVMIsAGlobalVariable(variable)
               ? LLVMGetGlobalParent(variable)
               : LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable)));
}

/* The part of a constant at an offset. */
static LLVMValueRef part_of(LLVMTargetDataRef data, LLVMValueRef constant, int64_t offset,
                            unsigned bytes)
{
    enum { DEPTH = 8 };
    for (int depth = 0; constant && depth < DEPTH; depth++) {
        LLVMTypeRef type = LLVMTypeOf(constant);
        if (offset < 0 || offset >= (int64_t)LLVMABISizeOfType(data, type))
            return NULL;
        switch (LLVMGetTypeKind(type)) {
        case LLVMStructTypeKind: {
            unsigned element = LLVMElementAtOffset(data, type, (uint64_t)offset);
            offset -= (int64_t)LLVMOffsetOfElement(data, type, element);
            constant = LLVMGetAggregateElement(constant, element);
            break;
        }
        case LLVMArrayTypeKind: {
            int64_t step = (int64_t)LLVMABISizeOfType(data, LLVMGetElementType(type));
            constant = LLVMGetAggregateElement(constant, (unsigned)(offset / step));
            offset %= step;
            break;
        }
        default:
            return offset == 0 && LLVMStoreSizeOfType(data, type) == bytes ? constant : NULL;
        }
    }
    return NULL;
}

/* Something is put into `bytes` at `start`; NULL: nobody knows what. */
static void put(struct search *search, int64_t start, int64_t bytes, LLVMValueRef what)
{
    if (bytes >= 0 && (start + bytes <= search->start || start >= search->start + search->bytes))
        return;
    search->lost |= !what || search->found || start != search->start || bytes != search->bytes;
    search->found = what;
}

/* memcpy of a constant: how arrays with an initialiser start. */
static void copied_to(struct search *search, LLVMValueRef call, int64_t start)
{
    LLVMValueRef length = LLVMGetOperand(call, 2);
    int64_t from;
    LLVMValueRef source = bridge_variable_at(LLVMGetOperand(call, 1), &from);
    bool plain = source && LLVMIsAGlobalVariable(source) && LLVMIsGlobalConstant(source) &&
                 LLVMGetInitializer(source) && LLVMIsAConstantInt(length);
    int64_t bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetSExtValue(length) : -1;
    if (!plain || start > search->start || start + bytes < search->start + search->bytes) {
        put(search, start, bytes, NULL);
        return;
    }
    LLVMValueRef what = part_of(search->data, LLVMGetInitializer(source),
                                from + search->start - start, search->bytes);
    put(search, search->start, search->bytes, what);
}

static void given_to(struct search *search, LLVMValueRef call, LLVMValueRef address, int64_t start)
{
    const struct routine *routine = call_routine(call);
    LLVMValueRef callee = call_target(call);
    const char *name = callee ? LLVMGetValueName2(callee, &(size_t){0}) : "";
    if (!strncmp(name, "llvm.memcpy", 11) || !strncmp(name, "llvm.memmove", 12)) {
        if (LLVMGetOperand(call, 0) == address)
            copied_to(search, call, start);
        return;
    }
    if (!strncmp(name, "llvm.lifetime", 13))
        return;
    if (!routine) {
        put(search, start, -1, NULL);
        return;
    }
    bool makes_type = !strncmp(routine->name, "MPI_Type_", 9);
    for (unsigned i = 0; i < routine->narguments; i++) {
        enum role role = routine->arguments[i].role;
        if (LLVMGetOperand(call, i) != address)
            continue;
        if (!strcmp(routine->name, "MPI_Get_address"))
            put(search, start, i == 1 ? 8 : 0, call);
        else if (makes_type && i + 1u == routine->narguments)
            put(search, start, search->bytes, call); /* the new type */
        else if (role_may_be_written(role) && !(makes_type && role == ROLE_none))
            put(search, start, -1, NULL);
    }
}

/* Several small elements that are set by one store of a constant. */
static LLVMValueRef part_of_number(const struct search *search, LLVMValueRef value, int64_t start)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    int64_t bytes = (int64_t)LLVMStoreSizeOfType(search->data, type), from = search->start - start;
    if (!LLVMIsAConstantInt(value) || bytes > 8 || from < 0 || from + search->bytes > bytes)
        return NULL;
    unsigned long long number = LLVMConstIntGetZExtValue(value) >> 8 * from;
    if (search->bytes < 8)
        number &= (1ull << 8 * search->bytes) - 1;
    LLVMTypeRef part = LLVMIntTypeInContext(LLVMGetTypeContext(type), 8 * search->bytes);
    return LLVMConstInt(part, number, false);
}

static void stored(struct search *search, LLVMValueRef value, int64_t start)
{
    LLVMValueRef part = part_of_number(search, value, start);
    if (part)
        put(search, search->start, search->bytes, part);
    else
        put(search, start, (int64_t)LLVMStoreSizeOfType(search->data, LLVMTypeOf(value)), value);
}

static void follow(struct search *search, LLVMValueRef address, int64_t start, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use && !search->lost;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            continue;
        if (LLVMIsAStoreInst(user)) {
            if (LLVMGetOperand(user, 0) == address)
                put(search, start, -1, NULL);
            else
                stored(search, LLVMGetOperand(user, 0), start);
        } else if (value_is_call(user)) {
            given_to(search, user, address, start);
        } else {
            int64_t inner = 0;
            bool known = depth > 0 && bridge_variable_at(user, &inner) == search->variable;
            if (known)
                follow(search, user, inner, depth - 1);
            else
                put(search, 0, -1, NULL);
        }
    }
}

LLVMValueRef array_element(LLVMValueRef array, int64_t index, unsigned bytes)
{
    enum { DEPTH = 4 };
    int64_t start;
    LLVMValueRef variable = bridge_variable_at(array, &start);
    if (!variable)
        return NULL;
    struct search search = {.data = LLVMGetModuleDataLayout(module_of(variable)),
                            .variable = variable,
                            .start = start + index * bytes,
                            .bytes = bytes};
    bool is_global = LLVMIsAGlobalVariable(variable) != NULL;
    if (!is_global || !LLVMIsGlobalConstant(variable))
        follow(&search, variable, 0, DEPTH);
    if (search.lost)
        return NULL;
    bool initial =
        is_global && !search.found && LLVMGetInitializer(variable) &&
        (LLVMIsGlobalConstant(variable) || LLVMGetLinkage(variable) == LLVMInternalLinkage);
    return initial ? part_of(search.data, LLVMGetInitializer(variable), search.start, bytes)
                   : search.found;
}

bool array_number(LLVMValueRef array, int64_t index, unsigned bytes, int64_t *number)
{
    LLVMValueRef value = array_element(array, index, bytes);
    if (!value || !LLVMIsAConstantInt(value))
        return false;
    *number = LLVMConstIntGetSExtValue(value);
    return true;
}
