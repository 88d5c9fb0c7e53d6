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

/* Whether who is given one address can come to the object of the other: directly, or by pointers
 * that are known to be kept in what it can come to. True if either is not known. */
bool points_may_reach(struct points *points, LLVMValueRef from, LLVMValueRef to);

/* The functions that a call can reach through a pointer. Their number, or 0 if there may be others
 * or more than `limit`. */
size_t points_callees(struct points *points, LLVMValueRef call, LLVMValueRef *callees,
                      size_t limit);

/* Adds constraints for a value that came into the program after the analysis. */
void points_learn(struct points *points, LLVMValueRef value);

/* Buffers of MPI operations: bytes are added one by one, then asked for. Both take what is not
 * known for anything. The call that hands out memory stands for all of it. */
void points_add_buffer(struct points *points, LLVMValueRef address, int64_t bytes);
bool points_in_buffers(struct points *points, LLVMValueRef address, int64_t bytes);

/* A set of places and of the bytes touched there, as long as it is small. It lives as long as the
 * analysis. */
struct touched {
    struct touched_place {
        uint32_t place;
        int32_t bytes; /* negative: any number */
    } *items;          /* sorted */
    uint32_t count, room;
};

/* False if that could be anything, or too much. Variables of `function` itself are left out: they
 * are gone when it returns. */
bool points_touch(struct points *points, struct touched *touched, LLVMValueRef address,
                  int64_t bytes, LLVMValueRef function);
enum touched_answer { TOUCHED_same, TOUCHED_more, TOUCHED_too_much };
enum touched_answer points_touch_all(struct points *points, struct touched *touched,
                                     const struct touched *others);
bool points_is_touched(struct points *points, const struct touched *touched, LLVMValueRef address,
                       int64_t bytes);

#endif
