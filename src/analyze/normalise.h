/* One shape for all bitcode, whatever optimisation level and headers it was made with, so that
 * verdicts depend on the program only:
 *  - MPI calls succeed: their return values are replaced by MPI_SUCCESS, so error paths vanish;
 *  - numbers that MPI returns through pointers (rank, size, flags of tests) become plain values;
 *  - functions that matter to MPI are inlined into their callers within a budget; LLVM keeps the
 *    chain of calls in the debug locations, which later becomes the call stack of a finding;
 *  - local variables become values, trivial control flow is folded. */
#ifndef REGATTA_ANALYZE_NORMALISE_H
#define REGATTA_ANALYZE_NORMALISE_H

#include "inline.h"
#include "layout.h"
#include "mpi/routine.h"
#include "stages.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

/* Stand-ins for values that MPI returns through pointers; all start with this. */
#define STAND_IN "regatta."
#define STAND_IN_RANK STAND_IN "rank"    /* int (comm) */
#define STAND_IN_SIZE STAND_IN "size"    /* int (comm) */
#define STAND_IN_FLAG STAND_IN "flag."   /* + "MPI_Test": the routine's arguments, returns *flag */
#define STAND_IN_INDEX STAND_IN "index." /* + "MPI_Waitany": returns *index */

/* Calls: call and invoke alike. The function called by name, or NULL. */
bool value_is_call(LLVMValueRef value);
LLVMValueRef call_target(LLVMValueRef call);
/* The MPI routine that a call instruction calls (PMPI names and stand-ins included), or NULL. */
const struct routine *call_routine(LLVMValueRef call);

/* Brings the whole program into the shape above. `is_program`: it has a main and nothing outside
 * can touch its global variables. Returns which calls that matter could not be inlined. */
struct left_out normalise(LLVMModuleRef program, bool is_program, enum flavour flavour,
                          struct stages *stages);

/* Whether an argument of this role is an address that MPI may write to: handles are addresses, too,
 * with Open MPI. */
bool role_may_be_written(enum role role);

/* Visits the calls of MPI in the module: by the uses of its routines, so that the rest of a large
 * program costs nothing. The visitor may replace the call. */
void each_mpi_call(LLVMModuleRef module,
                   void (*visit)(void *context, LLVMValueRef call, const struct routine *routine),
                   void *context);

/* Notes at each function what it calls, for the questions below; again after calls have moved. */
void mark_mpi_callers(LLVMModuleRef module);
/* Whether the function itself contains a call that matters to races. */
bool function_calls_mpi(LLVMValueRef function);
/* Whether it contains one that starts something: without that there is nothing to race with. */
bool function_starts_operations(LLVMValueRef function);
/* … that starts or completes something, or opens or closes an epoch. */
bool function_moves_operations(LLVMValueRef function);

#endif
