#include "usage.h"

#include <stdio.h>

#include "watched_call.h"
#include "findings.h"
#include "session.h"
#include "interpose/stacks.h"

static void report(const struct place *first, const struct place *second, const struct usage *usage)
{
    if (!finding_is_new(usage->message, first->stack, second ? second->stack : NULL))
        return;
    struct finding_text text = {.rule = "usage", .severity = usage->severity};
    snprintf(text.message, sizeof text.message, "%s", usage->message);
    snprintf(text.why, sizeof text.why, "%s", usage->why);
    snprintf(text.fix, sizeof text.fix, "%s", usage->fix);
    finding_report(&text, first, second, NULL);
}

void usage_report_call(const struct call *call, const struct usage *usage)
{
    struct place here = {.call = call->routine->name,
                         .thread = session_thread(),
                         .stack = stack_take(call->caller, call->frame)};
    struct place other = {.call = usage->other_call, .stack = usage->other_stack};
    /* In the order in which it happened: the older place first. */
    if (usage->other_stack)
        report(&other, &here, usage);
    else
        report(&here, NULL, usage);
}

void usage_report_leak(const char *call_name, const struct stack *stack, int thread,
                       const struct usage *usage)
{
    struct place here = {.call = call_name, .thread = thread, .stack = stack};
    report(&here, NULL, usage);
}
