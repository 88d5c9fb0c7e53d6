/* What addresses start from: whether two of them name the same object. */
#ifndef REGATTA_ANALYZE_ALIAS_H
#define REGATTA_ANALYZE_ALIAS_H

#include "events.h"

enum alias { ALIAS_same, ALIAS_distinct, ALIAS_unknown };

/* Two bases in one function, at moments at which neither was computed anew. */
enum alias alias_bases(struct function *function, LLVMValueRef a, LLVMValueRef b);

/* Whether one of them is an object whose address goes nowhere, and the other one comes from
 * elsewhere. */
bool alias_private_apart(struct function *function, LLVMValueRef a, LLVMValueRef b);

/* Whether two pointers were loaded from elements of one array, and nothing was put there in
 * between: they are the same if the elements are. */
bool alias_may_be_linked(struct function *function, LLVMValueRef a, LLVMValueRef b);

/* `for (i …) a[i] = malloc(…)`: the store that keeps an allocation, each in an element of its own,
 * if what the load reads was put there in this way alone. NULL if not. */
LLVMValueRef alias_keeper(struct function *function, LLVMValueRef allocation, LLVMValueRef load);

/* A call or variable that makes a new object each time it runs. */
bool alias_is_allocation(LLVMValueRef value);

/* Bytes of a variable, -1 if unknown. */
int64_t alias_object_size(LLVMValueRef object);

/* Whether handles kept in this object are also copied elsewhere. What is no object of this function
 * counts as copied. */
bool alias_is_copied(struct function *function, LLVMValueRef object);
/* The same, and for what is no object: whether this function copies anything from there. */
bool alias_handles_are_copied(struct function *function, LLVMValueRef base);

/* Loads that must give the same value have one representative; a load of what one store put there
 * is represented by the value that was stored. */
LLVMValueRef alias_representative(struct function *function, LLVMValueRef value);
/* Whether a load gives the same value in every iteration of a loop around it. */
bool alias_is_steady(struct function *function, LLVMValueRef value, int loop);
/* A number for a value that is the same in every run: draws must not depend on addresses. */
uint64_t alias_number(struct function *function, LLVMValueRef value);
void alias_free(struct function *function);

/* Whether a library function changes nothing that its arguments point to and that is still looked
 * at. */
bool function_only_looks(LLVMValueRef function);
/* Members of std::string: they change strings that they are given, and nothing behind other
 * pointers. */
bool function_changes_strings(LLVMValueRef function);

#endif
