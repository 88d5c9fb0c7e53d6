/* Which stacks are one place in the program.
 *
 * Code of C++ headers that was not inlined, std::sort or all of it at -O0, is one piece of code for
 * all lines of the user's that call it, and these are the lines that users want to see. Its return
 * address says nothing, the whole stack too much: std::sort alone reaches a comparison by dozens of
 * ways. In between:
 *
 *     stack (innermost first)                                        counts as
 *     return address                                                 itself
 *     functions of namespace std                                     nothing
 *     other functions that several object files may have             themselves: a template of a
 * library, or of (weak symbols: inline functions and templates)                 the user's the
 * first function of any other kind                           itself; what is beyond counts as
 * nothing
 *
 * Names come from the modules' symbol tables, read when the first such question comes. A program
 * without them has no lines to show either. Needs the session's lock. */
#ifndef REGATTA_INTERPOSE_CALLERS_H
#define REGATTA_INTERPOSE_CALLERS_H

#include <stdbool.h>
#include <stdint.h>

struct stack;

/* Whether the function that holds this return address may have been compiled for several places.
 * Takes about as long as dladdr; the first time in a module, as long as sorting its weak symbols.
 */
bool code_is_shared(const void *address);

/* The same object for all stacks that are one place; for stacks that end in code that is not
 * shared, each itself. A look into a table for stacks that were seen before. NULL for NULL. */
const struct stack *stack_representative(const struct stack *stack);

/* A number for what counts of the callers that the program has now, without unwinding; 0 if they
 * are not known.
 *
 * Within std::sort there are thousands of stacks, but the line that called it stays where it is:
 * its return address, and those of its callers, stand on the stack as they did when one of these
 * stacks was unwound. Another call from that function would have overwritten the first of them.
 * About 10 loads; in the main thread only, whose stack never goes away. */
uint64_t callers_now(const void *frame);
/* The representative of stacks from this return address with these callers; NULL if there was none
 * so far. */
const struct stack *callers_representative(const void *caller, uint64_t callers);
/* Remembers the callers of a stack that stack_take has just unwound. */
void stack_remember_caller(const void *caller, const void *frame);

#endif
