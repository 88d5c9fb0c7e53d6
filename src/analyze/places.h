/* Instructions as places in the source, with the chain of inlined calls as the call stack. */
#ifndef REGATTA_ANALYZE_PLACES_H
#define REGATTA_ANALYZE_PLACES_H

#include "findings/finding.h"

#include <llvm-c/Core.h>

/* stack.depth is 0 if the bitcode has no line for it. */
struct stack place_of(struct report *report, LLVMValueRef instruction);
/* "exchange() at halo.c:12", or its name alone. */
const char *function_place(struct report *report, LLVMValueRef function);
/* Where the branch on this condition goes to if the condition is so: "halo.c:12 → 14". NULL if that
 * has no line, or is no branch. */
const char *branch_of(struct report *report, LLVMValueRef condition, bool truth);
/* The variable that an address starts from, as the source calls it; NULL if it has no name. */
const char *variable_of(struct report *report, LLVMValueRef base);

#endif
