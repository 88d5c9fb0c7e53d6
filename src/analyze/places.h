/* Instructions as places in the source, with the chain of inlined calls as the call stack. */
#ifndef REGATTA_ANALYZE_PLACES_H
#define REGATTA_ANALYZE_PLACES_H

#include "findings/finding.h"

#include <llvm-c/Core.h>

/* stack.depth is 0 if the bitcode has no line for it. */
struct stack place_of(struct report *report, LLVMValueRef instruction);
/* The file of a scope: relative to where the user stands, if it is below; NULL if it has none. */
const char *scope_file(struct report *report, LLVMMetadataRef scope);
/* "exchange() at halo.c:12", or its name alone. */
const char *function_place(struct report *report, LLVMValueRef function);
/* Where a branch stands, and the line that it comes to in the block. False if one of them has none.
 */
bool branch_place(struct report *report, LLVMValueRef branch, LLVMBasicBlockRef block,
                  struct frame *from, unsigned *to);
/* The branch on this condition as "halo.c:12 → 14"; NULL if it has no line, or there is none. */
const char *branch_of(struct report *report, LLVMValueRef condition, bool truth);
/* The variable that an address starts from, as the source calls it; NULL if it has no name. */
const char *variable_of(struct report *report, LLVMValueRef base);

#endif
