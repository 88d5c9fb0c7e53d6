/* What the replay of the program has found, as findings. */
#include "replayed.h"

#include "places.h"

#include "findings/sentences.h"
#include "replay/replay.h"

struct replayed {
    struct report *report;
    const struct wrappers *wrappers;
    struct replayed_lines *lines;
};

static struct stack stack_of(const struct replayed *replayed, const struct replay_side *side)
{
    struct stack stack = {0};
    LIST(struct frame) frames = {0};
    for (size_t i = 0; i < side->depth; i++) {
        struct stack level = place_of(replayed->report, side->places[i]);
        for (size_t k = 0; k < level.depth; k++)
            APPEND(&frames, level.frames[k]);
    }
    stack.depth = frames.count;
    stack.frames =
        obstack_alloc(&replayed->report->texts, (frames.count + 1) * sizeof *stack.frames);
    memcpy(stack.frames, frames.items, frames.count * sizeof *stack.frames);
    DROP(&frames);
    wrappers_strip(replayed->wrappers, &stack);
    return stack;
}

static struct access access_of(const struct replayed *replayed, const struct replay_side *side)
{
    return (struct access){.present = true,
                           .kind = side->kind,
                           .call = side->routine ? side->routine->name : side->call,
                           .rank = side->rank,
                           .deed = !side->kind    ? NULL
                                   : side->writes ? "write"
                                                  : "read",
                           .stack = stack_of(replayed, side)};
}

static void add_race(void *context, const struct replay_race *race)
{
    const struct replayed *replayed = context;
    struct report *report = replayed->report;
    bool local = !strcmp(race->rule, "local-race");
    bool swap = !race->misuse && !race->sides[0].routine && race->sides[1].routine;
    struct access first = access_of(replayed, &race->sides[swap]);
    struct access second = access_of(replayed, &race->sides[!swap]);
    if (!access_line(&first) || !access_line(&second))
        return;
    struct finding *finding = report_add(report);
    finding->rule = race->rule;
    bool certain = local || race->fewest;
    finding->severity = certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->case_id =
        race->misuse ? race->misuse : case_id(local ? CASE_REPLAYED_BUFFER : CASE_REPLAYED_RACE);
    finding_add_fact(report, finding, "processes", report_textf(report, "%d", race->processes));
    const char *arguments = NULL;
    for (int i = 0; i < race->narguments; i++)
        arguments = report_textf(report, "%s%s%d", arguments ? arguments : "", i ? " " : "",
                                 race->arguments[i]);
    finding_add_fact(report, finding, "arguments", arguments);
    finding_add_fact(report, finding, "memory.rank",
                     race->misuse ? report_textf(report, "%d", race->owner) : NULL);
    finding_add_fact(report, finding, "more", certain ? NULL : "1");
    finding_add_pair(finding, (struct rank_pair){first.rank, local ? -1 : second.rank});
    finding_say(report, finding);
}

static void add_line(void *context, LLVMValueRef instruction)
{
    const struct replayed *replayed = context;
    struct replayed_lines *lines = replayed->lines;
    struct stack stack = place_of(replayed->report, instruction);
    if (!stack.depth || !stack.frames[0].file)
        return;
    struct replayed_line line = {stack.frames[0].file, stack.frames[0].line};
    const struct replayed_line *last = lines->count ? &lines->items[lines->count - 1] : NULL;
    if (!last || last->line != line.line || strcmp(last->file, line.file) != 0)
        APPEND(lines, line);
}

static bool was_executed(const struct replayed_lines *lines, const struct frame *frame)
{
    for (size_t i = 0; frame && frame->file && i < lines->count; i++)
        if (lines->items[i].line == frame->line && !strcmp(lines->items[i].file, frame->file))
            return true;
    return false;
}

/* An error becomes a warning. A warning was a doubt about bytes or about the way between two places
 * of one process, and the execution has answered it. */
void report_weigh(struct report *report, size_t first, const struct replayed_lines *lines)
{
    size_t kept = first;
    for (size_t i = first; i < report->finding_count; i++) {
        struct finding *finding = &report->findings[i];
        bool passed = was_executed(lines, access_line(&finding->first)) &&
                      was_executed(lines, access_line(&finding->second));
        if (passed && !lines->lucky && finding->severity == SEVERITY_WARNING &&
            !strcmp(finding->rule, "local-race"))
            continue;
        if (passed)
            finding_was_not_met(report, finding);
        report->findings[kept++] = *finding;
    }
    report->finding_count = kept;
}

void report_replayed(LLVMModuleRef program, enum flavour flavour, struct report *report,
                     const struct wrappers *wrappers, struct gaps *gaps,
                     struct replayed_lines *lines)
{
    struct replayed replayed = {report, wrappers, lines};
    struct replay_result result;
    replay(program, flavour == FLAVOUR_openmpi, add_race, add_line, &replayed, &result);
    lines->lucky = result.lucky;
    if (!result.finished && !result.budget_spent && result.reason[0])
        gaps_add_execution(gaps, report, result.where, result.reason);
    if (result.budget_spent)
        gaps_add(gaps, report, GAP_replay, 1, LLVMGetNamedFunction(program, "main"));
}
