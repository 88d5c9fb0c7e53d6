/* regatta report: findings shown again, chosen, merged, compared. */
#include "last_run.h"
#include "paths.h"
#include "reporting.h"
#include "suppress.h"
#include "findings/json.h"
#include "findings/progress.h"
#include "findings/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void read_directory(struct report *report, const char *directory, struct symbols *symbols)
{
    size_t before = report->process_count;
    int64_t other = records_other_format(directory);
    if (other)
        fail(EXIT_USAGE,
             "%s: records of format %" PRId64
             ", written by another version of Regatta: that one can show them",
             directory, other);
    if (!records_read(report, directory, symbols))
        fail(EXIT_USAGE, "%s: %s", directory, strerror(errno));
    if (report->process_count == before)
        fail(EXIT_USAGE, "%s: no records of a run in this directory", directory);
    records_note_endings(report);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void read_input(struct report *report, const char *path, struct symbols *symbols)
{
    char *problem;
    if (is_directory(path))
        read_directory(report, path, symbols);
    else if (!json_read_report(report, path, &problem))
        fail(EXIT_USAGE, "%s", problem);
}

static void read_last(struct report *report)
{
    char *path = last_run_path(), *problem;
    struct stat status;
    if (!path || stat(path, &status) != 0)
        fail(EXIT_USAGE, "report: which findings? No run is remembered; see regatta report --help");
    if (!json_read_report(report, path, &problem))
        fail(EXIT_USAGE, "%s", problem);
    free(path);
}

static struct report *read_older(const char *path, const char *directory, struct symbols *symbols)
{
    struct report *older = report_new("run");
    older->directory = directory;
    read_input(older, path, symbols);
    report_settle(older);
    return older;
}

struct wishes {
    struct reporting reporting;
    bool rules;
    const char *newer_than, *fixed_since; /* an older report */
    const char *suppress;                 /* ids */
};

static void check_wishes(struct wishes *wishes)
{
    struct reporting *reporting = &wishes->reporting;
    char *wrong = selection_doubt(&reporting->selection);
    if (wrong)
        fail(EXIT_USAGE, "report: %s", wrong);
    if (!!wishes->newer_than + !!wishes->fixed_since + !!reporting->baseline > 1)
        fail(EXIT_USAGE, "report: only one of --new, --fixed and --baseline at a time");
    if (wishes->suppress && reporting->suppressions)
        suppress_prepare(reporting->suppressions);
}

/* What of the older report is gone. Fixed errors are not errors. */
static int show_fixed(struct wishes *wishes, struct report *report, struct symbols *symbols)
{
    struct reporting *reporting = &wishes->reporting;
    struct report *older = read_older(wishes->fixed_since, reporting->directory, symbols);
    report->directory = reporting->directory;
    report_settle(report);
    filter_known(older, report);
    report_note(older, report_textf(older, "these were in %s, and are gone", wishes->fixed_since));
    reporting->exitcode = 0;
    reporting->strict = false;
    int code = reporting_finish(reporting, older, 0, NULL);
    report_free(older);
    return code;
}

static int show_report(struct wishes *wishes, struct report *report, struct symbols *symbols)
{
    struct reporting *reporting = &wishes->reporting;
    if (wishes->newer_than)
        reporting->loaded_baseline = read_older(wishes->newer_than, reporting->directory, symbols);
    if (wishes->suppress)
        return suppress_findings(reporting, report, wishes->suppress);
    if (wishes->fixed_since)
        return show_fixed(wishes, report, symbols);
    return reporting_finish(reporting, report, 0, NULL);
}

/* clang-format off */
#define SELECTIONS(s)                                                                              \
    {"--rule", "LIST", OPTION_LIST, &(s).rule,                                                     \
     "only findings of these rules; likewise --severity and --file,", 0, 0, NULL},                \
    {"--severity", "LIST", OPTION_LIST, &(s).severity, NULL, 0, 0, NULL},                          \
    {"--file", "LIST", OPTION_LIST, &(s).file, NULL, 0, 0, NULL},                                  \
    {"--function", "LIST", OPTION_LIST, &(s).function, NULL, 0, 0, NULL},                          \
    {"--rank", "LIST", OPTION_LIST, &(s).rank,                                                     \
     "or with these ranks; --function, --thread and --window LIST", 0, 0, NULL},                   \
    {"--thread", "LIST", OPTION_LIST, &(s).thread, NULL, 0, 0, NULL},                              \
    {"--window", "LIST", OPTION_LIST, &(s).window, NULL, 0, 0, NULL}
/* clang-format on */

int cmd_report(int argc, char **argv)
{
    static struct wishes wishes = {.reporting = REPORTING_DEFAULTS};
    static struct reporting *reporting = &wishes.reporting;
    reporting->shows_again = true;
    static const struct option own[] = {
        {"--rules", NULL, OPTION_FLAG, &wishes.rules, "explain every rule with an example", 0, 0,
         NULL},
        SELECTIONS(wishes.reporting.selection),
        {"--sort", "ORDER", OPTION_CHOICE, &wishes.reporting.order,
         "by severity, count, place, rank or rule; --list: a line for each", 0, 0, SORT_ORDERS},
        {"--list", NULL, OPTION_FLAG, &wishes.reporting.list, NULL, 0, 0, NULL},
        {"--new", "OLD", OPTION_TEXT, &wishes.newer_than,
         "only what OLD has not; --fixed OLD: what OLD had, and is gone", 0, 0, NULL},
        {"--fixed", "OLD", OPTION_TEXT, &wishes.fixed_since, NULL, 0, 0, NULL},
        {"--suppress", "IDS", OPTION_LIST, &wishes.suppress,
         "add them (or all) to the --suppressions FILE, or print the lines", 0, 0, NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(wishes.reporting), {0}};
    static const struct command command = {
        .name = "report",
        .usage = "[OPTIONS] [FINDINGS.json|DIR...]",
        .about = "Shows findings again, on standard output: those of the last run, or of what is\n"
                 "named, joined. A directory holds the records of a run (run --keep-records, env).",
        .tables = {own, common},
        .more = "Exit code: 66 if errors are shown (--exitcode), else 0; 2 wrong usage.",
    };
    options_gather(&command, argc, argv);
    int next = options_parse(&command, argc, argv);
    char *directory = paths_working_directory();
    check_wishes(&wishes);
    reporting_prepare(reporting, directory);
    if (wishes.rules) {
        text_rules(stdout, &reporting->style);
        return fflush(stdout) == 0 ? 0 : EXIT_INTERNAL;
    }
    unsetenv("DEBUGINFOD_URLS"); /* no network for symbols of other people's libraries */
    progress_switch("report", !reporting->quiet);
    struct symbols *symbols = symbols_new(directory);
    struct report *report = report_new("run");
    report->wants_ring = reporting->shiviz;
    if (next >= argc)
        read_last(report);
    for (; next < argc; next++)
        read_input(report, argv[next], symbols);
    int code = show_report(&wishes, report, symbols);
    report_free(report);
    symbols_free(symbols);
    free(directory);
    return code;
}
