/* Runs with only some places perturbed: to find the fewest that fail, and to try a reported pair.
 */
#include "course.h"
#include "cli.h"
#include "minimise.h"
#include "findings/json.h"

#include <stdlib.h>
#include <string.h>

enum { TESTS_MOST = 60 };

/* ---- one run with some places ---- */

static enum outcome run_with(struct course *course, const struct schedule *schedule,
                             const char *only)
{
    struct trial trial = {.schedule = *schedule, .only = only};
    course_run(course, &trial);
    struct trace *trace = trace_read(trial.directory, course->symbols);
    struct comparison comparison = outcome_compare(&course->reference, &trial, trace);
    enum outcome outcome = comparison.outcome;
    free(comparison.detail);
    trace_free(trace);
    free(trial.directory);
    return outcome;
}

/* Places are different sites; the operations of one site on several targets are one place. */
static size_t places_of(const struct trace *trace, const struct traced_operation ***places)
{
    size_t count = 0;
    *places =
        checked_malloc((trace->operation_count ? trace->operation_count : 1) * sizeof **places);
    for (size_t i = 0; i < trace->operation_count; i++) {
        size_t j = 0;
        while (j < count && strcmp((*places)[j]->site, trace->operations[i].site))
            j++;
        if (j == count)
            (*places)[count++] = &trace->operations[i];
    }
    return count;
}

static char *list_of(const struct traced_operation *const *places, const size_t *chosen,
                     size_t count)
{
    char *list = checked_strdup("");
    for (size_t i = 0; i < count; i++) {
        char *longer = checked_printf("%s%s%s", list, i ? "," : "", places[chosen[i]]->site);
        free(list);
        list = longer;
    }
    return list;
}

/* ---- the fewest ---- */

struct question {
    struct course *course;
    const struct traced_operation **places;
};

static bool still_fails(void *context, const size_t *chosen, size_t count)
{
    struct question *question = context;
    char *only = list_of(question->places, chosen, count);
    enum outcome outcome = run_with(question->course, &question->course->first_failure, only);
    free(only);
    return outcome != OUTCOME_SAME;
}

static const char *describe(struct report *report, const struct traced_operation *operation)
{
    return report_textf(report, "%s (%s)", frame_place(report, stack_place(&operation->stack)),
                        operation->call);
}

void course_minimise(struct course *course)
{
    struct question question = {.course = course};
    struct report *report = course->report;
    size_t count = places_of(course->reference.plain[0], &question.places);
    size_t *chosen = checked_malloc((count ? count : 1) * sizeof *chosen);
    for (size_t i = 0; i < count; i++)
        chosen[i] = i;
    if (!count || still_fails(&question, NULL, 0)) {
        report_note(report, "minimised: it fails without any RMA operation perturbed; messages or "
                            "the pace of processes are the cause");
    } else if (!still_fails(&question, chosen, count)) {
        report_note(report,
                    "not minimised: the failure does not show again with the same schedule");
    } else {
        count = minimise(chosen, count, still_fails, &question, TESTS_MOST);
        const char *text = "minimised: it fails if only these operations are perturbed:";
        for (size_t i = 0; i < count; i++)
            text = report_textf(report, "%s%s %s", text, i ? "," : "",
                                describe(report, question.places[chosen[i]]));
        report_note(report, text);
    }
    free(chosen);
    free(question.places);
}

/* ---- reported pairs ---- */

static bool is_at(const struct traced_operation *operation, const struct access *access)
{
    const struct frame *wanted = access_frame(access);
    const struct frame *place = stack_place(&operation->stack);
    if (!access->present || !wanted || !wanted->file || !place || !place->file)
        return false;
    const char *a = strrchr(wanted->file, '/'), *b = strrchr(place->file, '/');
    return wanted->line == place->line &&
           !strcmp(a ? a + 1 : wanted->file, b ? b + 1 : place->file);
}

static const char *try_strategies(struct course *course, const char *only,
                                  const char *const strategies[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct schedule schedule;
        schedule_named(strategies[i], &schedule);
        schedule.values[SETTING_seed] = course->campaign->seed;
        enum outcome outcome = run_with(course, &schedule, only);
        if (outcome != OUTCOME_SAME)
            return report_textf(course->report, "strategy %s changes the %s", strategies[i],
                                outcome_name(outcome));
    }
    return NULL;
}

/* The schedules that turn a pair round: each of the two late, early, before and after the other. */
static const char *try_pair(struct course *course, const char *only)
{
    static const char *const strategies[] = {"reverse",   "late",  "get-first",
                                             "put-first", "eager", "bytes"};
    return try_strategies(course, only, strategies, sizeof strategies / sizeof strategies[0]);
}

/* … and one of the two threads behind the other. */
static const char *try_threads(struct course *course, const char *only)
{
    static const char *const strategies[] = {"main-late", "others-late"};
    return try_strategies(course, only, strategies, sizeof strategies / sizeof strategies[0]);
}

static bool is_of_threads(const struct finding *finding)
{
    return !strncmp(finding->rule, "thread-", strlen("thread-"));
}

static void confirm(struct course *course, struct finding *finding,
                    const struct traced_operation **places, size_t count)
{
    struct report *report = course->report;
    size_t *chosen = checked_malloc((count ? count : 1) * sizeof *chosen), used = 0;
    for (size_t i = 0; i < count; i++)
        if (is_at(places[i], &finding->first) || is_at(places[i], &finding->second))
            chosen[used++] = i;
    char *only = list_of((const struct traced_operation *const *)places, chosen, used);
    const char *how = is_of_threads(finding) ? try_threads(course, only) : NULL;
    if (!how && used)
        how = try_pair(course, only);
    const char *verdict =
        how    ? report_textf(report, "Confirmed by stress: %s.", how)
        : used ? "Not confirmed by stress: no schedule of these operations changed the outcome."
        : is_of_threads(finding)
            ? "Not confirmed by stress: no pace of the threads changed the outcome."
            : "Not confirmed by stress: this run has no RMA operation at these places.";
    finding->why = report_textf(report, "%s%s%s", finding->why ? finding->why : "",
                                finding->why ? " " : "", verdict);
    course->failed += how != NULL;
    course->done++;
    free(only);
    free(chosen);
}

void course_confirm(struct course *course, const char *path)
{
    const struct traced_operation **places;
    char *problem = NULL;
    if (!json_read_report(course->report, path, &problem))
        fail(EXIT_USAGE, "%s", problem);
    size_t count = places_of(course->reference.plain[0], &places);
    for (size_t i = 0; i < course->report->finding_count; i++)
        confirm(course, &course->report->findings[i], places, count);
    report_note(course->report, report_textf(course->report, "%d of %zu findings confirmed",
                                             course->failed, course->report->finding_count));
    course->report->ranks = course->reference.plain[0]->report->ranks;
    course->report->mpi = report_text(course->report, course->reference.plain[0]->report->mpi);
    free(places);
}
