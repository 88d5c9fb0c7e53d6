/* Inlines what matters to MPI, callees first, within a budget. */
#ifndef REGATTA_ANALYZE_INLINE_H
#define REGATTA_ANALYZE_INLINE_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/* `is_program`: nothing outside can call its functions. */
void inline_relevant(LLVMModuleRef module, bool is_program);

/* Set by inline_relevant on functions that were inlined into every one of their callers: what can
 * be said about them is said better there. */
bool function_is_absorbed(LLVMValueRef function);

#endif
