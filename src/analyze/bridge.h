/* The few LLVM analyses that LLVM's C interface lacks, for one function at a time: dominators,
 * loops, and numbers as expressions (scalar evolution). bridge.cpp and
 * bridge_modules.cpp are the only C++ of the analysis.
 *
 * An `expression` is a number or an address written in terms of values the function does not
 * compute itself by arithmetic (arguments, loads, results of calls: here called leaves) and of the
 * iteration counters of its loops. Equal expressions are the same pointer. They live as long as
 * the bridge. The function must not change in between. */
#ifndef REGATTA_ANALYZE_BRIDGE_H
#define REGATTA_ANALYZE_BRIDGE_H

#include "polynomial.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bridge;
typedef const struct bridge_expression *expression;

struct bridge *bridge_open(LLVMValueRef function);
void bridge_close(struct bridge *bridge);

/* Loops are numbered from 0; -1 is "no loop". The loop of a block is the innermost one. */
int bridge_loop(struct bridge *bridge, LLVMBasicBlockRef block);
int bridge_loop_count(struct bridge *bridge);
int bridge_loop_parent(struct bridge *bridge, int loop);
int bridge_loop_depth(struct bridge *bridge, int loop); /* outermost: 1 */
LLVMBasicBlockRef bridge_loop_header(struct bridge *bridge, int loop);
bool bridge_loop_contains(struct bridge *bridge, int loop, LLVMBasicBlockRef block);
/* The branch in front of a rotated loop that decides whether it is entered at all, or NULL. */
LLVMValueRef bridge_loop_guard(struct bridge *bridge, int loop);
/* Whether the loop is left from its header, before the rest of the body runs. */
bool bridge_loop_leaves_early(struct bridge *bridge, int loop);
/* How often the back edge is taken, or NULL if that is unknown. */
expression bridge_loop_trips(struct bridge *bridge, int loop);

bool bridge_dominates(struct bridge *bridge, LLVMBasicBlockRef above, LLVMBasicBlockRef below);
LLVMBasicBlockRef bridge_idom(struct bridge *bridge, LLVMBasicBlockRef block);
/* The block where all ways on from this one meet again, or NULL. */
LLVMBasicBlockRef bridge_ipdom(struct bridge *bridge, LLVMBasicBlockRef block);

/* NULL if the value is no number and no address. */
expression bridge_expression(struct bridge *bridge, LLVMValueRef value);
/* An address is base + offset: the leaf it starts from (NULL if there is none) and a number. */
LLVMValueRef bridge_base(struct bridge *bridge, expression address);
expression bridge_offset(struct bridge *bridge, expression address);
/* Whether the expression is a constant, and which. */
bool bridge_constant(expression number, int64_t *constant);
/* Calls leaf for each leaf in the expression, and counter for each loop whose counter is in it. */
void bridge_parts(struct bridge *bridge, expression number,
                  void (*leaf)(void *context, LLVMValueRef leaf),
                  void (*counter)(void *context, int loop), void *context);
/* What the number leaves when it is divided: it is `rest` plus a multiple of `step`, whatever the
 * iterations and the unknown are. A step of 0: it is `rest`. */
void bridge_residue(struct bridge *bridge, expression number, int64_t *rest, uint64_t *step);
/* Whether the number goes up or down evenly with the iterations of a loop. */
bool bridge_is_counter(expression number);
/* Whether the number changes from one iteration of the loop to the next. */
bool bridge_varies(struct bridge *bridge, expression number, int loop);
/* Whether it is another one in every iteration: it moves by the same distance each time. */
bool bridge_moves_evenly(struct bridge *bridge, expression number, int loop);

/* Computes an expression from given numbers for its leaves and iteration counters.
 * False if a callback or an operation has no answer. */
struct bridge_numbers {
    void *context;
    bool (*leaf)(void *context, LLVMValueRef leaf, int64_t *number);
    bool (*iteration)(void *context, int loop, int64_t *number);
};
bool bridge_evaluate(struct bridge *bridge, expression number, const struct bridge_numbers *numbers,
                     int64_t *result);

/* Writes an expression as a sum of products. What is none (a minimum, a quotient) is left to the
 * callback `other`, with its operands as sums. False if a callback has no answer. */
enum bridge_shape { SHAPE_minimum, SHAPE_maximum, SHAPE_quotient, SHAPE_remainder, SHAPE_unknown };
struct bridge_symbols {
    void *context;
    bool (*leaf)(void *context, LLVMValueRef leaf, struct polynomial *result);
    bool (*iteration)(void *context, int loop, struct polynomial *result);
    bool (*other)(void *context, expression node, enum bridge_shape shape,
                  const struct polynomial *operands, size_t count, struct polynomial *result);
};
bool bridge_expand(struct bridge *bridge, expression number, const struct bridge_symbols *symbols,
                   struct polynomial *result);

/* The name of the function that a debug location stands in, "" if unknown. */
const char *bridge_location_function(LLVMMetadataRef location);

/* Links modules into a program one after the other. LLVM's C interface starts anew for each, which
 * looks at all that is there already. */
struct bridge_linker;
struct bridge_linker *bridge_linker_open(LLVMModuleRef program);
/* Takes the module over. False if it cannot be linked. */
bool bridge_link(struct bridge_linker *linker, LLVMModuleRef module);
void bridge_linker_close(struct bridge_linker *linker);

/* The variable that an address lies in at a constant offset, or NULL. */
LLVMValueRef bridge_variable_at(LLVMValueRef address, int64_t *offset);

/* Whether the C or C++ library has a function of this name and type. */
bool bridge_is_library_function(LLVMValueRef function);

/* Removes what debuggers need to find variables; lines stay. Passes spend half their time to keep
 * it up to date. */
void bridge_forget_variables(LLVMModuleRef module);

/* An invoke whose callee throws nothing becomes a call; returns that. */
LLVMValueRef bridge_invoke_to_call(LLVMValueRef invoke);

/* Replaces a call (call or invoke) by the body of the function it calls; debug locations remember
 * where. False if LLVM cannot inline it. */
bool bridge_inline(LLVMValueRef call);

/* Statements that return share one block in unoptimised code, which clang calls "return": each gets
 * its own, with its line. */
void bridge_split_returns(LLVMValueRef function);

/* Turns a call through a pointer into direct calls of these functions, chosen by comparison; the
 * last one needs none. Functions of another type are left out; false if that leaves none. */
bool bridge_resolve_call(LLVMValueRef call, LLVMValueRef *callees, size_t count);

#ifdef __cplusplus
}
#endif

#endif
