/* Findings of rule `usage`: MPI called in a way that it does not allow, or things left behind. */
#ifndef REGATTA_RUNTIME_USAGE_H
#define REGATTA_RUNTIME_USAGE_H

#include <stdbool.h>

struct call;
struct operation;
struct stack;

/* Is `what` wrong at the place of this call? Then the caller fills the text in. */
struct usage {
    const char *severity; /* "error" or "warning" */
    const char *message, *why, *fix;
    /* The other place, if there is one: an epoch that is still open, the start of an operation. */
    const char *other_call;
    const struct stack *other_stack;
};

/* At the place of the call. */
void usage_report_call(const struct call *call, const struct usage *usage);
/* At the place where something was made that was left behind. */
void usage_report_leak(const char *call_name, const struct stack *stack, int thread,
                       const struct usage *usage);

#endif
