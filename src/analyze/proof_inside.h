/* What the parts of a proof share: conditions and questions (proof.c), values (proof_values.c,
 * proof_arithmetic.c). */
#ifndef REGATTA_ANALYZE_PROOF_INSIDE_H
#define REGATTA_ANALYZE_PROOF_INSIDE_H

#include "proof.h"

enum { PROOF_DEEPEST = 16 };

/* The symbol of this kind and key, at proof->side unless shared. */
symbol_id proof_symbol_of(struct proof *proof, enum proof_kind kind, const void *key, int number,
                          bool shared, bool *is_new);
void proof_at_least(struct proof *proof, const struct polynomial *a, int64_t number);
void proof_known_at_most(struct proof *proof, const struct polynomial *a, int64_t number);
void proof_never_negative(struct proof *proof, symbol_id symbol);
/* Whether the sum is plainly at least zero: positive factors of symbols that are. */
bool proof_is_positive(const struct proof *proof, const struct polynomial *sum);
bool proof_is_truth(LLVMValueRef value);

/* The value as a sum, at proof->side. */
struct polynomial proof_number(struct proof *proof, LLVMValueRef value);
struct polynomial proof_rank_here(struct proof *proof);
/* The same for a value by itself, and for the counter of a loop; `context` is the proof. False if
 * it is no number, or no loop that is gone through at that moment. */
bool proof_leaf(void *context, LLVMValueRef leaf, struct polynomial *result);
bool proof_iteration(void *context, int loop, struct polynomial *result);
/* Whether a condition on the path says what the phi is. */
bool proof_given(const struct proof *proof, LLVMValueRef value, int64_t *number);
/* Adds to the list that the condition is true, or that it is false. */
void proof_add_truth(struct proof *proof, inequality_list *list, LLVMValueRef value, bool truth,
                     int depth);
/* Remainders, masks and shifts, which scalar evolution leaves alone. False if the value is none. */
bool proof_arithmetic(struct proof *proof, LLVMValueRef value, struct polynomial *result);
/* For bridge_expand. */
bool proof_other_shape(void *context, expression node, enum bridge_shape shape,
                       const struct polynomial *operands, size_t count, struct polynomial *result);

#endif
