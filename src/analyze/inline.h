/* Inlines what matters to MPI, callees first, within a budget. */
#ifndef REGATTA_ANALYZE_INLINE_H
#define REGATTA_ANALYZE_INLINE_H

#include <llvm-c/Core.h>

#include <stdbool.h>

void inline_relevant(LLVMModuleRef module);

/* Set by inline_relevant on functions that were inlined into every one of their callers: what can
 * be said about them is said better there. */
bool function_is_absorbed(LLVMValueRef function);

#endif
