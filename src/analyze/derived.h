/* Layouts that datatype constructors make. For layout.c, which knows the predefined types. */
#ifndef REGATTA_ANALYZE_DERIVED_H
#define REGATTA_ANALYZE_DERIVED_H

#include "layout.h"

bool constant_number(LLVMValueRef value, int64_t *number);

/* The layout behind the value of a datatype argument, through at most `depth` constructors. */
struct layout layout_of_value(LLVMValueRef type, enum flavour flavour, int depth);
/* The layout that a call of a constructor makes, as far as its arguments are constants. */
struct layout layout_constructed(LLVMValueRef call, enum flavour flavour, int depth);
/* The call that made the type, or NULL. */
LLVMValueRef type_constructor(LLVMValueRef type);

/* The blocks of a datatype that is used with MPI_BOTTOM: where they are is in its displacements. */
enum { TYPE_BLOCKS = 4 };
struct type_block {
    LLVMValueRef address; /* given to MPI_Get_address */
    int64_t count;
    struct layout element;
};
/* Their number; 0 if there are more than TYPE_BLOCKS, or something is not known. */
unsigned type_blocks(LLVMValueRef type, enum flavour flavour,
                     struct type_block blocks[TYPE_BLOCKS]);

#endif
