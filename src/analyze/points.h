/* What pointers can point to: an inclusion-based (Andersen) analysis of a whole program, sensitive
 * to fields, with heap objects named by the call that allocates them (inlining has given each
 * caller of a small allocation function its own).
 *
 *   object    a variable, a heap allocation, a function
 *   place     an object and an offset in it; elements of an array are one place
 *
 * Also for instrumentation: an access whose pointer has no place in common with any window or
 * buffer in use needs no check. */
#ifndef REGATTA_ANALYZE_POINTS_H
#define REGATTA_ANALYZE_POINTS_H

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct points;

struct points *points_solve(LLVMModuleRef module);
void points_free(struct points *points);

/* Whether two addresses can be in one object. True if either is not known. */
bool points_may_meet(struct points *points, LLVMValueRef a, LLVMValueRef b);

/* Whether `bytes` at one address can share a byte with `other_bytes` at the other; a negative
 * number of bytes is any number. True if either is not known. */
bool points_may_overlap(struct points *points, LLVMValueRef a, int64_t bytes, LLVMValueRef b,
                        int64_t other_bytes);

/* The functions that a call can reach through a pointer. Their number, or 0 if there may be others
 * or more than `limit`. */
size_t points_callees(struct points *points, LLVMValueRef call, LLVMValueRef *callees,
                      size_t limit);

#endif
