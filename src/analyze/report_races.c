#include "report_races.h"

#include "normalise.h"
#include "places.h"
#include "regions.h"
#include "remote.h"

#include "findings/sentences.h"

/* The word of the findings format for what an event does with a buffer. */
static const char *kind_of(const struct event *event, const struct buffer *buffer)
{
    if (!event->routine)
        return buffer->writes ? "store" : "load";
    return routine_kind(event->routine, buffer->writes);
}

/* The call by which memory is given back, as the source names it; NULL if the buffer is only
 * touched. */
static const char *giving_back(const struct event *event, const struct buffer *buffer)
{
    if (!buffer->whole)
        return NULL;
    if (buffer->base && LLVMIsAAllocaInst(buffer->base))
        return "return";
    const char *name = LLVMGetValueName2(call_target(event->instruction), &(size_t){0});
    return strncmp(name, "_Z", 2) ? name : "delete";
}

struct reporter {
    struct report *report;
    const struct wrappers *wrappers;
};

static struct stack stack_of(const struct reporter *reporter, LLVMValueRef instruction)
{
    struct stack stack = place_of(reporter->report, instruction);
    wrappers_strip(reporter->wrappers, &stack);
    return stack;
}

static struct access access_of(const struct reporter *reporter, struct function *function,
                               const struct event *event, const struct event *begun,
                               const struct buffer *buffer, int rank)
{
    struct report *report = reporter->report;
    expression address = bridge_expression(function->bridge, buffer->address);
    LLVMValueRef base = address ? bridge_base(function->bridge, address) : NULL;
    struct access access = {.present = true,
                            .kind = kind_of(event, buffer),
                            .call =
                                event->routine ? event->routine->name : giving_back(event, buffer),
                            .rank = rank,
                            .variable = variable_of(report, base),
                            .stack = stack_of(reporter, begun->instruction)};
    access.deed = buffer->writes ? "write" : "read";
    return access;
}

/* The branches on the path to both places, in the order in which they were met. */
static const char *path_text(struct report *report, const struct condition *conditions,
                             unsigned nconditions)
{
    enum { MOST = 8 };
    const char *text = NULL, *known[MOST];
    unsigned count = 0;
    for (unsigned i = 0; i < nconditions && count < MOST; i++) {
        const struct condition *condition = &conditions[i];
        LLVMTypeRef type = LLVMTypeOf(condition->value);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1 ||
            condition->sure)
            continue; /* nobody needs to be told that no assertion has failed */
        const char *branch =
            branch_of(report, condition->value, (condition->number != 0) != condition->negated);
        bool again = !branch;
        for (unsigned k = 0; k < count; k++)
            again |= branch && !strcmp(known[k], branch);
        if (again)
            continue;
        known[count++] = branch;
        text = text ? report_textf(report, "%s, %s", text, branch) : branch;
    }
    return text;
}

static void add_local_race(void *context, struct function *function, const struct race *race)
{
    const struct reporter *reporter = context;
    struct report *report = reporter->report;
    struct access first =
        access_of(reporter, function, race->opened, race->begun, race->opened_buffer, race->rank);
    struct access second = access_of(reporter, function, race->access, race->access_begun,
                                     race->access_buffer, race->rank);
    if (!first.stack.depth || !second.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = "local-race";
    finding->severity = race->certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->case_id = case_id(CASE_MAY_TOUCH_BUFFER);
    finding_add_fact(report, finding, "started", race->opened == race->begun ? NULL : "1");
    finding_add_fact(report, finding, "later", race->next_iteration ? "1" : NULL);
    finding_add_fact(report, finding, "certain", race->certain ? "1" : NULL);
    finding_add_fact(report, finding, "window_call", race->opened->window ? "1" : NULL);
    finding_add_fact(report, finding, "path",
                     path_text(report, race->conditions, race->nconditions));
    finding_add_pair(finding, (struct rank_pair){race->rank, -1});
    finding_say(report, finding);
}

static void add_leak(void *context, struct function *function, const struct leak *leak)
{
    const struct reporter *reporter = context;
    struct report *report = reporter->report;
    static const struct buffer nothing;
    const struct buffer *buffer = leak->opened->nbuffers ? &leak->opened->buffers[0] : &nothing;
    struct access first = access_of(reporter, function, leak->opened, leak->begun, buffer, -1);
    if (!first.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = "usage";
    finding->severity = SEVERITY_WARNING;
    finding->first = first;
    finding->case_id = case_id(CASE_MAY_NOT_COMPLETE);
    finding_add_fact(report, finding, "function",
                     first.stack.frames[first.stack.depth - 1].function);
    finding_add_fact(report, finding, "path",
                     path_text(report, leak->conditions, leak->nconditions));
    finding_say(report, finding);
}

static void add_remote_race(void *context, struct function *function,
                            const struct remote_race *race)
{
    const struct reporter *reporter = context;
    struct report *report = reporter->report;
    static const struct buffer nothing = {.writes = true};
    const char *first_kind = kind_of(race->first, &nothing);
    struct access first = {.present = true,
                           .kind = first_kind,
                           .call = race->first->routine->name,
                           .rank = race->ranks[0],
                           .stack = stack_of(reporter, race->first->instruction)};
    struct access second =
        race->second_buffer
            ? access_of(reporter, function, race->second, race->second, race->second_buffer,
                        race->ranks[1])
            : (struct access){.present = true,
                              .kind = kind_of(race->second, &nothing),
                              .call = race->second->routine->name,
                              .rank = race->ranks[1],
                              .stack = stack_of(reporter, race->second->instruction)};
    if (!first.stack.depth || !second.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = race->atomicity ? "atomicity" : "remote-race";
    finding->severity = race->certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->case_id = case_id(race->same_process ? CASE_MAY_RACE_IN_ONE_PROCESS : CASE_MAY_RACE);
    finding_add_pair(finding, (struct rank_pair){first.rank, second.rank});
    finding_say(report, finding);
}

void report_races(struct function *function, struct report *report, const struct wrappers *wrappers)
{
    struct reporter reporter = {report, wrappers};
    regions_find_races(function, add_local_race, add_leak, &reporter);
    remote_find_races(function, add_remote_race, &reporter);
}
