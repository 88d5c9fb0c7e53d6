/* What the elements of an array are when a call gets it, as far as each is set once and to
 * something that can be seen: lengths, displacements and types of datatype constructors. */
#ifndef REGATTA_ANALYZE_ARRAYS_H
#define REGATTA_ANALYZE_ARRAYS_H

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdint.h>

/* The value of the element, `bytes` long, or NULL. `array` is the argument that points to the first
 * one. A constant, what the program stores there, or a call of MPI that writes it. */
LLVMValueRef array_element(LLVMValueRef array, int64_t index, unsigned bytes);

/* The same as a number. */
bool array_number(LLVMValueRef array, int64_t index, unsigned bytes, int64_t *number);

#endif
