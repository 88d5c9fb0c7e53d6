/* What the program says of itself by <regatta.h>: races on memory that are meant, and order that
 * cannot be seen. `check` does not know when and between whom it holds, so it says nothing of what
 * an annotation may cover; `run` follows them. */
#ifndef REGATTA_ANALYZE_EXCUSES_H
#define REGATTA_ANALYZE_EXCUSES_H

#include "points.h"

#include <stdbool.h>

/* Whether the program excuses races on any memory. */
bool excuses_memory(LLVMModuleRef program);
/* Whether races on what these two addresses point to may be excused. */
bool excuses_access(LLVMModuleRef program, struct points *points, LLVMValueRef first,
                    LLVMValueRef second);
/* Whether it tells of order between processes. */
bool excuses_order(LLVMModuleRef program);

#endif
