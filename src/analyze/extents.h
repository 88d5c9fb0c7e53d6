/* Which lines each function of the source takes up. */
#ifndef REGATTA_ANALYZE_EXTENTS_H
#define REGATTA_ANALYZE_EXTENTS_H

#include "grow.h"

#include "findings/finding.h"

#include <llvm-c/Core.h>

struct extent {
    const char *file; /* named as findings name it */
    unsigned first, last;
};
typedef LIST(struct extent) extent_list;

/* Adds those of all functions that the module defines, before any of them is inlined. */
void extents_add(extent_list *extents, struct report *report, LLVMModuleRef module);

#endif
