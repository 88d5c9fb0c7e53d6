#include "campaign.h"
#include "cli.h"
#include "course.h"
#include "paths.h"
#include "findings/limits.h"
#include "findings/records.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <unistd.h>

enum { JOBS_MOST = 16 };

/* ---- children that must not outlive us ---- */

static struct trial
    *running[JOBS_MOST + 1]; /* the last: one that is waited for, while others may run */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    interrupted = number;
}

static void end_all(void)
{
    for (int i = 0; i <= JOBS_MOST; i++)
        if (running[i])
            trial_kill(running[i]);
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    atexit(end_all);
}

static void pause_shortly(void)
{
    struct timespec time = {.tv_nsec = 10 * 1000 * 1000};
    nanosleep(&time, NULL);
    if (interrupted)
        exit(128 + interrupted);
}

/* ---- single runs ---- */

static void start(struct course *course, struct trial *trial)
{
    trial_start(trial, &course->campaign->launcher, course->library, course->campaign->argv,
                course->scratch, course->started++, course->limit);
}

void course_run(struct course *course, struct trial *trial)
{
    start(course, trial);
    running[JOBS_MOST] = trial;
    while (!trial_poll(trial))
        pause_shortly();
    running[JOBS_MOST] = NULL;
}

/* ---- the program as it is ---- */

/* Another plain run into the reference; returns its seconds. */
static double run_plain(struct course *course)
{
    struct reference *reference = &course->reference;
    struct trial trial = {.schedule = schedule_baseline()};
    course_run(course, &trial);
    if (trial.hung)
        fail(EXIT_USAGE,
             "the program does not end within %.0f seconds even as it is; see --timeout",
             course->limit);
    if (reference->plain_count && trial.code != reference->code)
        fail(EXIT_USAGE,
             "the program ends with exit code %d or %d even as it is: nothing to compare with",
             reference->code, trial.code);
    reference->code = trial.code;
    char *output = trial_output(&trial);
    reference->outputs[reference->plain_count] = outcome_normalise(reference, output);
    reference->plain[reference->plain_count++] = trace_read(trial.directory, course->symbols);
    free(output);
    free(trial.directory);
    return trial.seconds;
}

static void report_plain(struct course *course)
{
    struct reference *reference = &course->reference;
    struct comparison comparison = outcome_compare_plain(reference);
    outcome_report(course->report, &comparison, NULL, reference->plain[0], reference, NULL);
    free(comparison.detail);
    if (outcome_output_steadiness(reference) == ERRATIC)
        report_note(course->report,
                    "standard output varies from run to run even without stress: not compared");
    if (!reference->plain[0]->report->process_count)
        report_limit(course->report, "process", "anything", "no process initialised MPI");
}

static void run_baseline(struct course *course)
{
    struct campaign *campaign = course->campaign;
    double longest = 0;
    int wanted = campaign->plain_runs;
    course->limit = campaign->timeout ? campaign->timeout : 300;
    while (course->reference.plain_count < wanted) {
        double seconds = run_plain(course);
        longest = seconds > longest ? seconds : longest;
        /* If they differ, it takes more of them to tell how. */
        if (course->reference.plain_count == wanted && wanted < PLAIN_MOST &&
            outcome_varies(&course->reference))
            wanted = PLAIN_MOST;
    }
    if (!campaign->timeout)
        course->limit = 20 + 10 * longest;
    report_plain(course);
}

/* ---- the runs of the campaign ---- */

static void show_progress(const struct course *course)
{
    if (course->campaign->reporting.quiet || !isatty(STDERR_FILENO))
        return;
    int width = 30, filled = width * course->done / course->campaign->runs;
    fprintf(stderr, "\r[%.*s%.*s] %d/%d schedules, %d failed ", filled,
            "##############################", width - filled, "..............................",
            course->done, course->campaign->runs, course->failed);
    if (course->done == course->campaign->runs)
        fputc('\n', stderr);
    fflush(stderr);
}

static char *command_for(const struct course *course, const struct trial *trial)
{
    char *options = schedule_options(&trial->schedule);
    char *command =
        checked_printf("regatta stress %s%s %s", course->conditions, options, course->words);
    free(options);
    return command;
}

/* The layer's own findings, with the command behind them. */
static void take_findings(struct course *course, const struct trace *trace, const char *directory)
{
    if (trace->report->finding_count)
        records_read(course->report, directory, course->symbols);
    if (!course->report->ranks) {
        course->report->ranks = trace->report->ranks;
        course->report->mpi = report_text(course->report, trace->report->mpi);
    }
}

/* MPIs and their launchers fail or hang now and then by themselves. So an end that nothing else
 * explains has to come back when the same schedule is run again; one that did is enough for the
 * campaign. */
static bool came_only_once(struct course *course, const struct comparison *comparison,
                           const struct trial *trial)
{
    bool by_end_alone =
        (comparison->outcome == OUTCOME_HANG || comparison->outcome == OUTCOME_CODE) &&
        !comparison->print;
    if (!by_end_alone || course->bad_end_came_back)
        return false;
    struct trial again = {.schedule = trial->schedule, .only = trial->only};
    course_run(course, &again);
    struct trace *trace = trace_read(again.directory, course->symbols);
    struct comparison second = outcome_compare(&course->reference, &again, trace);
    course->bad_end_came_back = second.outcome != OUTCOME_SAME;
    free(second.detail);
    trace_free(trace);
    free(again.directory);
    return !course->bad_end_came_back;
}

/* True if it showed an error. */
static bool judge(struct course *course, struct trial *trial, int number)
{
    struct trace *trace = trace_read(trial->directory, course->symbols);
    struct comparison comparison = outcome_compare(&course->reference, trial, trace);
    comparison.once = came_only_once(course, &comparison, trial);
    bool bad = comparison.outcome != OUTCOME_SAME && !comparison.once;
    char *command = command_for(course, trial);
    bool error =
        outcome_report(course->report, &comparison, trial, trace, &course->reference, command);
    take_findings(course, trace, trial->directory);
    if (course->table)
        fprintf(course->table, "%d\t%s\t%s\t%s\n", number,
                trial->schedule.strategy ? trial->schedule.strategy : "options",
                comparison.once ? "once" : outcome_name(comparison.outcome), command);
    if (bad && course->campaign->reporting.verbose)
        say("schedule %d: %s: %s", number, outcome_name(comparison.outcome), command);
    if (bad && !course->failed++)
        course->first_failure = trial->schedule;
    course->done++;
    show_progress(course);
    free(command);
    free(comparison.detail);
    trace_free(trace);
    free(trial->directory);
    return error;
}

static struct schedule schedule_of(const struct campaign *campaign, int i)
{
    struct schedule schedule =
        campaign->has_schedule ? campaign->schedule : schedule_number(i, campaign->seed);
    if (campaign->has_schedule)
        schedule.values[SETTING_seed] = campaign->seed + i;
    return schedule;
}

/* Up to `jobs` at a time; judged in the order in which they end. */
static void run_schedules(struct course *course)
{
    struct campaign *campaign = course->campaign;
    struct trial trials[JOBS_MOST] = {0};
    int numbers[JOBS_MOST], next = 0, active = 0;
    bool stop = false;
    while (active || (next < campaign->runs && !stop)) {
        for (int i = 0; i < campaign->jobs; i++) {
            if (!running[i] && next < campaign->runs && !stop) {
                trials[i] = (struct trial){.schedule = schedule_of(campaign, next)};
                start(course, &trials[i]);
                numbers[i] = ++next;
                running[i] = &trials[i];
                active++;
            } else if (running[i] && trial_poll(running[i])) {
                running[i] = NULL;
                active--;
                stop |= judge(course, &trials[i], numbers[i]) && campaign->first;
            }
        }
        pause_shortly();
    }
}

/* ---- from beginning to end ---- */

static void compile_patterns(struct course *course)
{
    const struct words *words = &course->campaign->ignored_output;
    course->patterns = checked_malloc((words->count ? words->count : 1) * sizeof *course->patterns);
    for (size_t i = 0; i < words->count; i++) {
        char problem[200];
        int error = regcomp(&course->patterns[i], words->list[i], REG_EXTENDED | REG_NOSUB);
        if (error) {
            regerror(error, &course->patterns[i], problem, sizeof problem);
            fail(EXIT_USAGE, "stress: --ignore-output '%s': %s", words->list[i], problem);
        }
    }
    course->reference.ignored_output = course->patterns;
    course->reference.ignored_output_count = words->count;
    course->reference.ignored_windows = (const char *const *)course->campaign->ignored_windows.list;
}

/* Adds a word to the text as a shell would take it; frees the old text. */
static char *with_word(char *text, const char *word)
{
    bool plain =
        *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=./:,@%") == strlen(word);
    char *longer = checked_printf(plain ? "%s%s%s" : "%s%s'%s'", text, *text ? " " : "", word);
    free(text);
    return longer;
}

static char *with_option(char *text, const char *option, const char *value)
{
    return value ? with_word(with_word(text, option), value) : text;
}

static char *quoted(char **argv)
{
    char *text = checked_strdup("");
    for (int i = 0; argv[i]; i++)
        text = with_word(text, argv[i]);
    return text;
}

/* What else has to be said for the same outcome to be seen, with a blank behind it. */
static char *conditions_of(const struct campaign *campaign)
{
    char *text = checked_strdup(""), number[16];
    snprintf(number, sizeof number, "%d", campaign->launcher.ranks);
    text = with_option(text, "-n", campaign->launcher.ranks ? number : NULL);
    text = with_option(text, "--mpi", campaign->launcher.asked_mpi);
    text = with_option(text, "--launcher", campaign->launcher.command);
    snprintf(number, sizeof number, "%d", campaign->timeout);
    text = with_option(text, "--timeout", campaign->timeout ? number : NULL);
    for (size_t i = 0; i < campaign->ignored_windows.count; i++)
        text = with_option(text, "--ignore-window", campaign->ignored_windows.list[i]);
    for (size_t i = 0; i < campaign->ignored_output.count; i++)
        text = with_option(text, "--ignore-output", campaign->ignored_output.list[i]);
    char *whole = checked_printf("%s%s", text, *text ? " " : "");
    free(text);
    return whole;
}

static int default_jobs(int ranks)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return ranks > 0 && cores / ranks > 1 ? 2 : 1;
}

int campaign_run(struct campaign *campaign)
{
    struct course course = {.campaign = campaign};
    char *directory = paths_working_directory();
    unsetenv("DEBUGINFOD_URLS");
    campaign->launcher.program = program_inspect(campaign->argv);
    launcher_choose_mpi(&campaign->launcher);
    course.library = mpi_scheduler_or_fail(campaign->launcher.mpi);
    reporting_prepare(&campaign->reporting, directory);
    compile_patterns(&course);
    if (campaign->table && !(course.table = fopen(campaign->table, "w")))
        fail(EXIT_USAGE, "cannot write %s: %s", campaign->table, strerror(errno));
    course.scratch = paths_scratch("regatta-stress", campaign->launcher.command != NULL);
    course.words = quoted(campaign->argv);
    course.conditions = conditions_of(campaign);
    course.symbols = symbols_new(directory);
    course.report = report_new("stress");
    course.report->program = report_text(course.report, campaign->launcher.program.path);
    if (!campaign->jobs)
        campaign->jobs = default_jobs(campaign->launcher.ranks);
    watch_signals();
    run_baseline(&course);
    if (campaign->confirm) {
        course_confirm(&course, campaign->confirm);
    } else {
        run_schedules(&course);
        if (campaign->minimise && course.failed)
            course_minimise(&course);
    }
    if (course.table)
        fclose(course.table);
    if (!campaign->confirm)
        report_note(course.report,
                    report_textf(course.report, "%d of %d schedules changed the outcome",
                                 course.failed, course.done));
    if (campaign->launcher.program.unseen)
        report_limit(
            course.report, "calls",
            report_textf(course.report, "calls such as %s", campaign->launcher.program.unseen),
            "not by its MPI_ name: handed to MPI as they come");
    if (course.reference.code)
        report_note(course.report,
                    report_textf(course.report,
                                 "the program ends with exit code %d also without stress",
                                 course.reference.code));
    int code = reporting_finish(&campaign->reporting, course.report, course.reference.code, NULL);
    for (int i = 0; i < course.reference.plain_count; i++) {
        trace_free(course.reference.plain[i]);
        free(course.reference.outputs[i]);
    }
    report_free(course.report);
    symbols_free(course.symbols);
    return code;
}
