/* Objects that only this function knows: variables of its own and what it has allocated, as long as
 * their address goes nowhere. A pointer that comes from elsewhere (an argument, the result of a
 * call, something loaded) is not to them, whatever the pointer analysis has lost sight of. */
#include "alias.h"

#include "normalise.h"

enum { VISITED = 64 };

/* Values on the way, to go round the loops of phis only once. */
struct walk {
    LLVMValueRef visited[VISITED];
    unsigned count;
};

/* False if it was there already; full counts as too far. */
static bool walk_on(struct walk *walk, LLVMValueRef value, bool *too_far)
{
    for (unsigned i = 0; i < walk->count; i++)
        if (walk->visited[i] == value)
            return false;
    *too_far |= walk->count == VISITED;
    if (*too_far)
        return false;
    walk->visited[walk->count++] = value;
    return true;
}

static bool passes_address_on(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || LLVMIsAPHINode(value) || LLVMIsASelectInst(value) ||
           LLVMIsAFreezeInst(value) || LLVMIsABitCastInst(value);
}

/* Whether a call may keep an address that it is given, or hand it back. */
static bool call_keeps(LLVMValueRef call, LLVMValueRef address)
{
    LLVMValueRef callee = call_target(call);
    if (!callee || !LLVMIsDeclaration(callee) || LLVMGetCalledValue(call) == address)
        return true;
    if (!strcmp(LLVMGetValueName2(callee, &(size_t){0}), "free"))
        return false;
    static const char nocapture[] = "nocapture";
    unsigned kind = LLVMGetEnumAttributeKindForName(nocapture, sizeof nocapture - 1);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetOperand(call, i) == address &&
            (i >= LLVMCountParams(callee) || !LLVMGetEnumAttributeAtIndex(callee, i + 1, kind)))
            return true;
    return false;
}

static bool goes_out(struct walk *walk, LLVMValueRef address)
{
    bool out = false;
    for (LLVMUseRef use = LLVMGetFirstUse(address); use && !out; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (passes_address_on(user))
            out = walk_on(walk, user, &out) ? goes_out(walk, user) : out;
        else if (LLVMIsAStoreInst(user))
            out = LLVMGetOperand(user, 0) == address;
        else if (value_is_call(user))
            out = call_keeps(user, address);
        else
            out = !LLVMIsALoadInst(user) && !LLVMIsAICmpInst(user);
    }
    return out;
}

static bool is_private(struct function *function, LLVMValueRef object)
{
    if (!LLVMIsAAllocaInst(object) && !alias_is_allocation(object))
        return false;
    uint32_t known = value_map_get(&function->private_objects, object);
    if (known == VALUE_MAP_NONE) {
        struct walk walk = {0};
        known = !goes_out(&walk, object);
        value_map_add(&function->private_objects, object, known);
    }
    return known;
}

/* Whether the pointer is made, in whatever way, from the address of the object within this
 * function. */
static bool is_made_from(struct walk *walk, LLVMValueRef pointer, LLVMValueRef object,
                         bool *too_far)
{
    if (pointer == object)
        return true;
    if (LLVMIsALoadInst(pointer) || LLVMIsAArgument(pointer) || value_is_call(pointer) ||
        LLVMIsAAllocaInst(pointer) || LLVMIsConstant(pointer))
        return false;
    if (!passes_address_on(pointer))
        return true; /* nobody knows */
    for (int i = 0; i < LLVMGetNumOperands(pointer); i++) {
        LLVMValueRef operand = LLVMGetOperand(pointer, (unsigned)i);
        if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind &&
            walk_on(walk, operand, too_far) && is_made_from(walk, operand, object, too_far))
            return true;
    }
    return *too_far;
}

static bool is_stranger_to(struct function *function, LLVMValueRef pointer, LLVMValueRef object)
{
    struct walk walk = {0};
    bool too_far = false;
    return is_private(function, object) && !is_made_from(&walk, pointer, object, &too_far);
}

bool alias_private_apart(struct function *function, LLVMValueRef a, LLVMValueRef b)
{
    return is_stranger_to(function, a, b) || is_stranger_to(function, b, a);
}
