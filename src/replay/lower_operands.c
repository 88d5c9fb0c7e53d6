/* Where values are. */
#include "lowering.h"

#include <uthash.h>

int32_t constant_operand(struct lowering *l, struct constant constant)
{
    return ~(int32_t)ADD(&l->code->constants, constant);
}

int32_t number_operand(struct lowering *l, uint64_t number)
{
    return constant_operand(l, (struct constant){CONSTANT_NUMBER, number});
}

struct place *slot_place(struct lowering *l, const void *value)
{
    struct place *place;
    HASH_FIND_PTR(l->places, &value, place);
    return place;
}

void set_place(struct lowering *l, const void *value, int32_t slot)
{
    struct place *place = zeroed(1, sizeof *place);
    place->value = (LLVMValueRef)value;
    place->slot = slot;
    HASH_ADD_PTR(l->places, value, place);
}

int leaf_count(struct lowering *l, LLVMTypeRef type)
{
    struct leaf leaves[MOST_LEAVES];
    return code_leaves(l->code, type, leaves);
}

/* The slots of an instruction's value, given when it is first named: a phi may come before it. */
int32_t slots_of(struct lowering *l, LLVMValueRef value)
{
    struct place *place = slot_place(l, value);
    if (place)
        return place->slot;
    int n = leaf_count(l, LLVMTypeOf(value));
    int32_t slot = l->function->nslots;
    l->function->nslots += n < 1 ? 1 : n;
    set_place(l, value, slot);
    return slot;
}

/* Operands of all leaves of a value; the number of them, -1 if it cannot be had. */
int operands(struct lowering *l, LLVMValueRef value, int32_t out[MOST_LEAVES])
{
    struct constant constants[MOST_LEAVES];
    int n;
    if (LLVMIsConstant(value)) {
        if (!code_constant(l->code, value, constants, &n))
            return -1;
        for (int i = 0; i < n; i++)
            out[i] = constant_operand(l, constants[i]);
        return n;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMMetadataTypeKind || LLVMIsAInlineAsm(value))
        return -1;
    n = leaf_count(l, LLVMTypeOf(value));
    int32_t slot = slots_of(l, value);
    for (int i = 0; i < n; i++)
        out[i] = slot + i;
    return n;
}

int32_t operand(struct lowering *l, LLVMValueRef value)
{
    int32_t all[MOST_LEAVES];
    return operands(l, value, all) == 1
               ? all[0]
               : constant_operand(l, (struct constant){CONSTANT_UNKNOWN, 0});
}

void places_free(struct lowering *l)
{
    struct place *place, *next;
    HASH_ITER(hh, l->places, place, next)
    {
        HASH_DEL(l->places, place);
        free(place);
    }
}
