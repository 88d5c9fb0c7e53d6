/* Versions of memory: which write a load sees, and so whether two loads give the same.
 *
 * The version of a load is the last event before it that may change what stands at its address; if
 * that depends on the way, the block where the ways meet. It is looked for upwards along the
 * dominators, so that writes in earlier or later iterations of a loop do not count where the load
 * cannot see them. */
#ifndef REGATTA_ANALYZE_VERSIONS_H
#define REGATTA_ANALYZE_VERSIONS_H

#include "events.h"

struct version {
    LLVMValueRef writer; /* NULL: what comes to the start of the block */
    unsigned block;
    int scope; /* the innermost loop that has both the block and the load; -1: none */
};

struct version version_of(struct function *function, LLVMValueRef load);

/* Whether both loads give the same if they are from the same address: their versions are one. */
bool versions_agree(struct function *function, LLVMValueRef a, LLVMValueRef b);

void versions_free(struct function *function);

#endif
