#include "usage.h"

#include "watched_call.h"
#include "findings.h"
#include "session.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"

struct usage_place {
    const char *call;
    const struct stack *stack;
    int thread;
};

static struct side_record side_of(const struct usage_place *place)
{
    return (struct side_record){.call = place->call,
                                .rank = session.rank,
                                .thread = place->thread,
                                .site = site_recorded(place->stack)};
}

static void report(enum finding_case which, const struct usage_place *first,
                   const struct usage_place *second, const struct usage_numbers *numbers)
{
    if (!finding_is_new(which, first->stack, second ? second->stack : NULL))
        return;
    struct finding_record finding = {
        .rule = "usage", .which = which, .first = side_of(first), .has_second = second != NULL};
    if (second)
        finding.second = side_of(second);
    for (int i = 0; numbers && numbers->numbers[i].name && i < FINDING_NUMBERS; i++)
        finding.numbers[i] = numbers->numbers[i];
    if (numbers) {
        finding.has_memory = true;
        finding.memory = numbers->memory;
    }
    finding_report(&finding);
}

void usage_report_call(const struct call *call, enum finding_case which, const char *other_call,
                       const struct stack *other_stack)
{
    struct usage_place here = {call->routine->name, stack_take(call->caller, call->frame),
                               session_thread()};
    struct usage_place other = {other_call, other_stack, 0};
    /* In the order in which it happened: the older place first. */
    if (other_stack)
        report(which, &other, &here, NULL);
    else
        report(which, &here, NULL, NULL);
}

void usage_report_numbers(const struct call *call, const struct stack *stack,
                          enum finding_case which, const struct usage_numbers *numbers)
{
    report(which, &(struct usage_place){call->routine->name, stack, session_thread()}, NULL,
           numbers);
}

void usage_report_leak(enum finding_case which, const char *call_name, const struct stack *stack,
                       int thread)
{
    report(which, &(struct usage_place){call_name, stack, thread}, NULL, NULL);
}
