#ifndef REGATTA_REPLAY_LOWERING_H
#define REGATTA_REPLAY_LOWERING_H

#include "lower.h"

#include <uthash.h>

struct place {
    LLVMValueRef value; /* instruction, argument, or block */
    int32_t slot;
    UT_hash_handle hh;
};

struct patch {
    size_t step;
    int field; /* 0: to, 1: b, 2: c; 3: target `index` of switch `table` */
    size_t table, index;
    LLVMBasicBlockRef from, to;
};

struct lowering {
    struct code *code;
    struct function *function;
    struct place *places;
    LLVMValueRef source;
    ROW(struct patch) patches;
};

int32_t constant_operand(struct lowering *l, struct constant constant);
int32_t number_operand(struct lowering *l, uint64_t number);
struct place *slot_place(struct lowering *l, const void *value);
void set_place(struct lowering *l, const void *value, int32_t slot);
void places_free(struct lowering *l);
int leaf_count(struct lowering *l, LLVMTypeRef type);
/* The slots of an instruction's value, given when it is first named: a phi may come before it. */
int32_t slots_of(struct lowering *l, LLVMValueRef value);
/* Operands of all leaves of a value; the number of them, -1 if it cannot be had. */
int operands(struct lowering *l, LLVMValueRef value, int32_t out[MOST_LEAVES]);
/* … of a value that has only one; unknown otherwise. */
int32_t operand(struct lowering *l, LLVMValueRef value);

#endif
