/* Inlines what matters to MPI, callees first, within a budget: what calls MPI, then what touches
 * the bytes that MPI operations use. Other functions stay calls, of which effects.h knows enough.
 */
#ifndef REGATTA_ANALYZE_INLINE_H
#define REGATTA_ANALYZE_INLINE_H

#include "layout.h"
#include "points.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

/* Calls that had to stay, next to operations, though what they call may touch buffers: races there
 * are not found. */
struct left_out {
    size_t calls, of_most;
    LLVMValueRef most; /* the function with the most of them */
};

/* `is_program`: nothing outside can call its functions. `points`: of the module as it is; what is
 * inlined is new to it afterwards. */
struct left_out inline_relevant(LLVMModuleRef module, bool is_program, struct points *points,
                                enum flavour flavour);

/* Set by inline_relevant on functions that were inlined into every one of their callers: what can
 * be said about them is said better there. */
bool function_is_absorbed(LLVMValueRef function);

#endif
