#include "report_races.h"

#include "places.h"
#include "regions.h"
#include "remote.h"

/* The word of the findings format for what an event does with a buffer. */
static const char *kind_of(const struct event *event, const struct buffer *buffer)
{
    if (!event->routine)
        return buffer->writes ? "store" : "load";
    return routine_kind(event->routine, buffer->writes);
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
                            .call = event->routine ? event->routine->name : NULL,
                            .rank = rank,
                            .variable = variable_of(report, base),
                            .stack = stack_of(reporter, begun->instruction)};
    access.detail = report_textf(report, "%s%s%s", buffer->writes ? "writes" : "reads",
                                 access.variable ? " " : "",
                                 access.variable ? access.variable : "");
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
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1)
            continue;
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
    struct access second =
        access_of(reporter, function, race->access, race->access_begun, race->access_buffer, race->rank);
    if (!first.stack.depth || !second.stack.depth)
        return;
    const char *uses = race->opened_buffer->writes ? "writing" : "reading";
    const char *touches = race->access->routine ? race->access->routine->name
                          : race->access_buffer->writes ? "a store"
                                                        : "a load";
    const char *start = frame_place(report, stack_place(&first.stack));
    struct finding *finding = report_add(report);
    finding->rule = "local-race";
    finding->severity = race->certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->message =
        report_textf(report, "%s touches a buffer that %s may still be %s", touches,
                     race->opened->routine->name, uses);
    finding->why =
        report_textf(report, "%s%s at %s %s; no call that completes it comes before %s%s.",
                     race->opened->routine->name, race->opened == race->begun ? "" : " started",
                     start, race->opened_buffer->writes ? "writes the buffer" : "reads the buffer",
                     frame_place(report, stack_place(&second.stack)),
                     race->next_iteration ? " in a later iteration of the loop" : "");
    const char *path = path_text(report, race->conditions, race->nconditions);
    if (path)
        finding->why = report_textf(report, "%s Branches on the way: %s.", finding->why, path);
    if (!race->certain)
        finding->why = report_textf(
            report, "%s That depends on something that cannot be seen here.", finding->why);
    finding->fix = race->opened->window
                       ? "complete the operation before (MPI_Win_flush_local, MPI_Win_unlock, "
                         "MPI_Win_fence, …), or use another buffer."
                       : "complete the operation before (MPI_Wait, …), or use another buffer.";
    finding->generation = -1;
    finding_add_pair(finding, (struct rank_pair){race->rank, -1});
    finding->count = 1;
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
    finding->message = report_textf(report, "the request of %s is not completed on every path",
                                    leak->opened->routine->name);
    finding->why = report_textf(
        report, "its request is kept in a local variable only, and %s() returns without completing it.",
        first.stack.frames[first.stack.depth - 1].function);
    const char *path = path_text(report, leak->conditions, leak->nconditions);
    if (path)
        finding->why = report_textf(report, "%s Branches on the way: %s.", finding->why, path);
    finding->fix = "complete the request before the function returns (MPI_Wait, …), or free it.";
    finding->generation = -1;
    finding->count = 1;
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
                           .detail = "on the target's window",
                           .stack = stack_of(reporter, race->first->instruction)};
    struct access second =
        race->second_buffer
            ? access_of(reporter, function, race->second, race->second, race->second_buffer,
                        race->ranks[1])
            : (struct access){.present = true,
                              .kind = kind_of(race->second, &nothing),
                              .call = race->second->routine->name,
                              .rank = race->ranks[1],
                              .detail = "on the same bytes",
                              .stack = stack_of(reporter, race->second->instruction)};
    if (!first.stack.depth || !second.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = race->atomicity ? "atomicity" : "remote-race";
    finding->severity = race->certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->message = report_textf(report, "%s by rank %d is not ordered with %s by rank %d",
                                    first.call, first.rank, second.call ? second.call : second.kind,
                                    second.rank);
    finding->why =
        race->same_process
            ? "the first operation is not complete at the target when the second access comes."
            : "no call in which all processes wait for each other, no message and no exclusive "
              "lock stands between the two.";
    finding->fix = race->same_process
                       ? "complete the first at the target before (MPI_Win_flush, MPI_Win_unlock, "
                         "MPI_Win_fence)."
                       : "complete the operation at the target, then synchronise the two processes "
                         "(MPI_Win_fence, MPI_Barrier, a message) before the other access.";
    finding->generation = -1;
    finding_add_pair(finding, (struct rank_pair){first.rank, second.rank});
    finding->count = 1;
}

void report_races(struct function *function, struct report *report,
                  const struct wrappers *wrappers)
{
    struct reporter reporter = {report, wrappers};
    regions_find_races(function, add_local_race, add_leak, &reporter);
    remote_find_races(function, add_remote_race, &reporter);
}
