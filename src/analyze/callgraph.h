/* Who calls whom, by name and through pointers. */
#ifndef REGATTA_ANALYZE_CALLGRAPH_H
#define REGATTA_ANALYZE_CALLGRAPH_H

#include "grow.h"
#include "points.h"
#include "value_map.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

struct caller {
    LLVMValueRef function;
    unsigned size;      /* instructions */
    unsigned component; /* functions that call each other by name, however indirectly, share one */
    LIST(uint32_t) callees, through; /* numbers in callers; called by name, through a pointer */
    bool calls_unknown;              /* through a pointer that can point to who knows what */
    unsigned index, low;             /* of the search for components */
    bool on_stack;
};

struct callgraph {
    LIST(struct caller) callers;
    struct value_map numbers; /* of functions with a body */
    LIST(uint32_t) order;     /* callees before callers */
};

struct callgraph *callgraph_build(LLVMModuleRef module, struct points *points);
void callgraph_free(struct callgraph *graph);

/* NULL if the function has no body. */
struct caller *callgraph_find(struct callgraph *graph, LLVMValueRef function);

#endif
