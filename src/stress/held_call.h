/* A call as the scheduler keeps it from before to after. */
#ifndef REGATTA_STRESS_HELD_CALL_H
#define REGATTA_STRESS_HELD_CALL_H

#include "interpose/call.h"

struct held_call {
    struct call call;
    bool replaced; /* it went another way, and ended with this code: */
    int replacement;
    void *scheduled; /* the window, transfer or question that call_after needs */
    void
        *instead[ROUTINE_MAX_BUFFERS]; /* what MPI gets in place of the program's buffer, or NULL */
};

/* Every struct call in this library is the beginning of one. */
#define held(of)                                                                                   \
    _Generic((of),                                                                                 \
        const struct call *: (const struct held_call *)(of),                                       \
        struct call *: (struct held_call *)(of))

/* It went another way. */
static inline void call_replace(struct call *call, int result)
{
    held(call)->replaced = true;
    held(call)->replacement = result;
}

#endif
