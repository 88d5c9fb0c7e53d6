#include "outcomes.h"
#include "side_by_side.h"
#include "findings/sentences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/routine.h"

const char *outcome_name(enum outcome outcome)
{
    static const char *const names[] = {"same", "hang", "exit code", "output", "memory", "buffer"};
    return names[outcome];
}

/* ---- output ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_ignored(const struct reference *reference, const char *line)
{
    for (size_t i = 0; i < reference->ignored_output_count; i++)
        if (regexec(&reference->ignored_output[i], line, 0, NULL, 0) == 0)
            return true;
    return false;
}

char *outcome_normalise(const struct reference *reference, const char *output)
{
    struct words lines = {0};
    char *copy = checked_strdup(output), *rest = copy, *line;
    while ((line = strsep(&rest, "\n")))
        if (*line && !is_ignored(reference, line))
            words_add_copy(&lines, line);
    free(copy);
    if (lines.count)
        qsort(lines.list, lines.count, sizeof *lines.list, by_text);
    char *sorted = checked_malloc(strlen(output) + 2), *end = sorted;
    for (size_t i = 0; i < lines.count; i++) {
        end = stpcpy(stpcpy(end, lines.list[i]), "\n");
        free(lines.list[i]);
    }
    *end = 0;
    free(lines.list);
    return sorted;
}

static int line_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    return length > 120 ? 120 : (int)length;
}

/* The first line that one has and the other has not. */
static char *first_difference(const char *was, const char *is)
{
    while (*was && *is && line_length(was) == line_length(is) &&
           !strncmp(was, is, strcspn(was, "\n") + 1)) {
        was += strcspn(was, "\n") + 1;
        is += strcspn(is, "\n") + 1;
    }
    return checked_printf("otherwise: %.*s · here: %.*s", *was ? line_length(was) : 9,
                          *was ? was : "(nothing)", *is ? line_length(is) : 9,
                          *is ? is : "(nothing)");
}

/* The line of standard error that tells most: an assertion if there is one, else the first that is
 * more than a rule across the page, by which launchers frame what they say. */
static char *last_words(const struct trial *trial)
{
    char *errors = trial_errors(trial), *found = strstr(errors, "ssert");
    while (found && found > errors && found[-1] != '\n')
        found--;
    if (!found)
        found = errors + strspn(errors, "\n-=* ");
    char *line = *found ? checked_printf("%.*s", line_length(found), found) : NULL;
    free(errors);
    return line;
}

/* ---- comparison ---- */

static bool is_known_output(const struct reference *reference, const char *output)
{
    for (int i = 0; i < reference->plain_count; i++)
        if (!strcmp(reference->outputs[i], output))
            return true;
    return false;
}

enum steadiness outcome_output_steadiness(const struct reference *reference)
{
    int distinct = 0;
    for (int i = 0; i < reference->plain_count; i++) {
        int j = 0;
        while (strcmp(reference->outputs[j], reference->outputs[i]))
            j++;
        distinct += j == i;
    }
    return steadiness_of(distinct, reference->plain_count);
}

bool outcome_varies(const struct reference *reference)
{
    const struct traced_print *before;
    bool varies;
    for (int i = 1; i < reference->plain_count; i++)
        if (strcmp(reference->outputs[i], reference->outputs[0]) ||
            trace_difference(reference->plain, 1, reference->plain[i], reference->ignored_windows,
                             &before, &varies))
            return true;
    return false;
}

struct comparison outcome_compare_plain(const struct reference *reference)
{
    struct comparison comparison = {.outcome = OUTCOME_SAME, .varies = true};
    int other = 0;
    comparison.print = trace_variation(reference->plain, reference->plain_count,
                                       reference->ignored_windows, &comparison.before);
    if (comparison.print) {
        comparison.outcome = OUTCOME_MEMORY;
    } else if (outcome_output_steadiness(reference) == REPEATS) {
        while (!strcmp(reference->outputs[other], reference->outputs[0]))
            other++;
        comparison.outcome = OUTCOME_OUTPUT;
        comparison.detail = first_difference(reference->outputs[0], reference->outputs[other]);
    }
    return comparison;
}

struct comparison outcome_compare(const struct reference *reference, const struct trial *trial,
                                  const struct trace *trace)
{
    enum steadiness steadiness = outcome_output_steadiness(reference);
    struct comparison comparison = {.outcome = OUTCOME_SAME};
    char *output = trial_output(trial), *normal = outcome_normalise(reference, output);
    comparison.print =
        trace_difference(reference->plain, reference->plain_count, trace,
                         reference->ignored_windows, &comparison.before, &comparison.varies);
    if (trial->hung) {
        comparison.outcome = OUTCOME_HANG;
    } else if (trial->code != reference->code) {
        comparison.outcome = OUTCOME_CODE;
        comparison.detail = last_words(trial);
    } else if (comparison.print) {
        comparison.outcome = OUTCOME_MEMORY;
    } else if (steadiness != ERRATIC && !is_known_output(reference, normal)) {
        comparison.outcome = OUTCOME_OUTPUT;
        comparison.varies = steadiness == REPEATS;
        comparison.detail = first_difference(reference->outputs[0], normal);
    } else if (trace->report->finding_count) {
        comparison.outcome = OUTCOME_BUFFER;
    }
    free(output);
    free(normal);
    return comparison;
}

/* ---- findings ---- */

struct stack outcome_stack(struct report *report, const struct stack *stack)
{
    struct stack copy = {.depth = stack->depth};
    copy.frames =
        obstack_alloc(&report->texts, (stack->depth ? stack->depth : 1) * sizeof *copy.frames);
    for (size_t i = 0; i < stack->depth; i++) {
        copy.frames[i] = stack->frames[i];
        copy.frames[i].module = report_text(report, stack->frames[i].module);
        copy.frames[i].file = report_text(report, stack->frames[i].file);
        copy.frames[i].function = report_text(report, stack->frames[i].function);
    }
    return copy;
}

static void set_access(struct report *report, struct access *access, int rank, const char *call,
                       const char *kind, const struct stack *stack)
{
    *access = (struct access){.present = true,
                              .rank = rank,
                              .call = report_text(report, call),
                              .kind = kind,
                              .stack = outcome_stack(report, stack)};
}

/* Of an RMA operation, or of a receive: nothing else is fingerprinted. */
static const char *kind_of(const char *call)
{
    const struct routine *routine = call ? routine_by_name(call) : NULL;
    return routine && routine->verb == VERB_issues ? routine_kind(routine, false) : "recv";
}

/* The bytes that differ, as far as the fingerprints tell them apart. */
static void differing_bytes(const struct traced_print *a, const struct traced_print *b,
                            int64_t *low, int64_t *high)
{
    *low = a->start;
    *high = a->start + a->bytes;
    if (!a->chunk_count || a->chunk_count != b->chunk_count || a->chunk != b->chunk)
        return;
    int64_t first = -1, last = -1;
    for (size_t i = 0; i < a->chunk_count; i++) {
        if (a->chunks[i] == b->chunks[i])
            continue;
        first = first < 0 ? (int64_t)i : first;
        last = (int64_t)i;
    }
    if (first < 0)
        return;
    *low = a->start + first * a->chunk;
    *high = a->start + ((last + 1) * a->chunk < a->bytes ? (last + 1) * a->chunk : a->bytes);
}

static void describe_operation(struct report *report, struct access *access,
                               const struct traced_operation *operation)
{
    set_access(report, access, operation->rank, operation->call, kind_of(operation->call),
               &operation->stack);
    access->has_range = true;
    access->low = operation->low;
    access->high = operation->high;
    access->target = operation->target;
}

static bool writes(const struct traced_operation *operation)
{
    return strcmp(kind_of(operation->call), "get") != 0;
}

/* Up to two different places that touched the bytes; those that write first. */
static void name_operations(struct report *report, struct finding *finding,
                            const struct trace *trace, const struct traced_print *print,
                            int64_t low, int64_t high)
{
    const struct traced_operation *found[2] = {NULL, NULL};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < trace->operation_count; i++) {
            const struct traced_operation *operation = &trace->operations[i];
            if (operation->window != print->window_id || operation->target != print->rank ||
                operation->low >= high || operation->high <= low ||
                writes(operation) != (pass == 0))
                continue;
            if (!found[0])
                found[0] = operation;
            else if (!found[1] && strcmp(found[0]->site, operation->site))
                found[1] = operation;
        }
    }
    if (found[0])
        describe_operation(report, &finding->first, found[0]);
    if (found[1])
        describe_operation(report, &finding->second, found[1]);
}

static void report_memory(struct report *report, struct finding *finding,
                          const struct comparison *comparison, const struct trace *trace)
{
    const struct traced_print *print = comparison->print;
    int64_t low, high;
    differing_bytes(print, comparison->before, &low, &high);
    finding->severity =
        trace_has_choice(trace, print->generation) ? SEVERITY_WARNING : SEVERITY_ERROR;
    finding->generation = print->generation;
    if (!print->is_window) {
        finding->case_id = case_id(CASE_SCHEDULE_RECEIVED);
        set_access(report, &finding->first, print->rank, print->call, kind_of(print->call),
                   &print->stack);
        finding->first.bytes = print->bytes > 0 ? (uint64_t)print->bytes : 0;
        return;
    }
    finding->case_id = case_id(CASE_SCHEDULE_WINDOW);
    finding->memory = (struct memory){.present = true,
                                      .side = "target",
                                      .window = report_text(report, print->window),
                                      .rank = print->rank,
                                      .offset = low,
                                      .bytes = (uint64_t)(high - low)};
    name_operations(report, finding, trace, print, low, high);
    /* Nothing that was scheduled came there, but direct stores, which atomics, mutexes and the like
     * of the program may order: then it chooses by timing. `regatta run` can tell. */
    if (print->is_shared && !finding->first.present)
        finding->severity = SEVERITY_WARNING;
}

/* Where the processes were: the first two different places as the finding's, the others in words.
 */
static void report_places(struct report *report, struct finding *finding, const struct trace *trace,
                          const char *kind)
{
    const char *others = NULL;
    int used = 0;
    for (size_t i = 0; i < trace->place_count; i++) {
        const struct traced_place *place = &trace->places[i];
        struct access *access = used ? &finding->second : &finding->first;
        if (used < 2) {
            set_access(report, access, place->rank, NULL, kind, &place->stack);
            access->state = report_text(report, place->state);
        } else {
            others =
                report_textf(report, "%s%srank %d at %s", others ? others : "", others ? ", " : "",
                             place->rank, frame_place(report, stack_place(&place->stack)));
        }
        used++;
    }
    finding_add_fact(report, finding, "others", others);
}

/* How the run ended, or what it printed. */
static void report_ending(struct report *report, struct finding *finding,
                          const struct comparison *comparison, const struct trial *trial,
                          const struct trace *trace, const struct reference *reference)
{
    switch (comparison->outcome) {
    case OUTCOME_HANG:
        finding->case_id = case_id(CASE_SCHEDULE_HANG);
        finding_add_fact(report, finding, "hangs", "1");
        finding_add_fact(report, finding, "seconds", report_textf(report, "%.0f", trial->seconds));
        report_places(report, finding, trace, "hang");
        break;
    case OUTCOME_CODE:
        finding->case_id = case_id(CASE_SCHEDULE_EXIT_CODE);
        finding_add_fact(report, finding, "code", report_textf(report, "%d", trial->code));
        finding_add_fact(report, finding, "usual_code",
                         report_textf(report, "%d", reference->code));
        finding_add_fact(report, finding, "last_words", comparison->detail);
        report_places(report, finding, trace, "end");
        break;
    case OUTCOME_OUTPUT:
        finding->case_id = case_id(CASE_SCHEDULE_OUTPUT);
        finding_add_fact(report, finding, "difference", comparison->detail);
        if (trace_has_choice(trace, INT64_MAX))
            finding->severity = SEVERITY_WARNING;
        break;
    default:
        break;
    }
}

static void report_evidence(struct report *report, struct finding *finding,
                            const struct comparison *comparison, const struct trace *trace,
                            const char *command)
{
    if (trace_has_choice(trace, INT64_MAX))
        finding_add_fact(report, finding, "choice", "1");
    if (comparison->once)
        finding_add_fact(report, finding, "once", "1");
    finding_add_fact(report, finding, "command", command);
}

bool outcome_report(struct report *report, const struct comparison *comparison,
                    const struct trial *trial, const struct trace *trace,
                    const struct reference *reference, const char *command)
{
    if (comparison->outcome == OUTCOME_SAME || comparison->outcome == OUTCOME_BUFFER)
        return comparison->outcome == OUTCOME_BUFFER;
    struct finding *finding = report_add(report);
    finding->rule = "schedule";
    finding->severity = SEVERITY_ERROR;
    report_ending(report, finding, comparison, trial, trace, reference);
    const char *ending = finding->case_id;
    if (comparison->print)
        report_memory(report, finding, comparison, trace);
    if (comparison->varies || comparison->once)
        finding->severity =
            SEVERITY_WARNING; /* perhaps by a clock, or by a fault of the MPI or its launcher */
    if (comparison->print && comparison->outcome != OUTCOME_MEMORY) {
        /* How it ended weighs more than what memory held before. */
        finding->severity = SEVERITY_ERROR;
        finding_add_fact(report, finding, "then", ending);
    }
    if (!finding->first.present && trace->operation_count)
        describe_operation(report, &finding->first, &trace->operations[0]);
    if (!finding->first.present)
        finding->first = (struct access){.present = true, .kind = "collective", .call = "MPI_Init"};
    finding_add_pair(finding,
                     (struct rank_pair){finding->first.rank,
                                        finding->second.present ? finding->second.rank : -1});
    report_evidence(report, finding, comparison, trace, command);
    side_by_side(report, finding, comparison, trial, trace, reference);
    finding_say(report, finding);
    return finding->severity == SEVERITY_ERROR;
}
