/* Datatypes as the analyser knows them: the bytes of one element, and how far apart elements are.
 * Handles of MPICH are numbers, those of Open MPI addresses of global variables. */
#ifndef REGATTA_ANALYZE_LAYOUT_H
#define REGATTA_ANALYZE_LAYOUT_H

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdint.h>

enum { LAYOUT_RUNS = 8 };

/* `count` blocks of `length` bytes, `stride` apart, the first at `offset`. */
struct run {
    int64_t offset, length, stride, count;
};

struct layout {
    bool known;
    int64_t extent;
    unsigned nruns;
    struct run runs[LAYOUT_RUNS];
    uint64_t basic; /* the predefined type it is made of; 0: several or unknown */
};

/* Which MPI's headers the program was compiled with. */
enum flavour { FLAVOUR_unknown, FLAVOUR_mpich, FLAVOUR_openmpi };
enum flavour module_flavour(LLVMModuleRef module);

/* The layout behind the value of a datatype argument, as seen at the call that uses it. */
struct layout layout_of(LLVMValueRef type, enum flavour flavour);
struct layout layout_bytes(int64_t bytes);
/* Whether elements follow each other without gaps. */
bool layout_is_dense(const struct layout *layout);

/* Special values of arguments. */
bool is_proc_null(LLVMValueRef rank, enum flavour flavour);
bool is_special_address(LLVMValueRef address); /* NULL, MPI_BOTTOM, MPI_IN_PLACE */
bool is_no_op(LLVMValueRef op, enum flavour flavour);

#endif
