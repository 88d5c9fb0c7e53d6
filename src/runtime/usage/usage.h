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
/* The same of one place, with the numbers that its words name and window memory. */
struct usage_numbers {
    const struct number_record *numbers; /* FINDING_NUMBERS at most, the last with no name */
    struct memory_record memory;
};
void usage_report_numbers(const struct call *call, const struct stack *stack,
                          enum finding_case which, const struct usage_numbers *numbers);
/* At the place where something was made that was left behind. */
void usage_report_leak(enum finding_case which, const char *call_name, const struct stack *stack,
                       int thread);

#endif
