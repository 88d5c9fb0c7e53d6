/* Ways round a completion. A loop that waits for n requests, or a wait under `if (n > 0)`, has a
 * way round it that the program never takes while an operation is in progress, but no branch
 * condition says so in a form that can be checked. */
#ifndef REGATTA_ANALYZE_BYPASS_H
#define REGATTA_ANALYZE_BYPASS_H

#include "events.h"

enum bypass {
    BYPASS_none,
    BYPASS_impossible, /* the condition is about the requests themselves */
    BYPASS_doubtful,   /* about something that cannot be understood here */
};

struct bypasses;

struct bypasses *bypasses_find(struct function *function);
void bypasses_free(struct bypasses *bypasses);
/* For an operation (event number) that goes from a block's end to one of its successors. */
enum bypass bypasses_check(const struct bypasses *bypasses, uint32_t op, LLVMValueRef terminator,
                           unsigned successor);

#endif
