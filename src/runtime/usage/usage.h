/* Findings of rule `usage`: MPI called in a way that it does not allow, or things left behind.
 * Needs the session's lock. */
#ifndef REGATTA_RUNTIME_USAGE_H
#define REGATTA_RUNTIME_USAGE_H

#include "interpose/finding_record.h"

struct call;
struct stack;

/* At the place of the call. The other place, if there is one, came before it: an epoch that is
 * still open, the start of an operation. */
void usage_report_call(const struct call *call, enum finding_case which, const char *other_call,
                       const struct stack *other_stack);
/* At the place where something was made that was left behind. */
void usage_report_leak(enum finding_case which, const char *call_name, const struct stack *stack,
                       int thread);

#endif
