/* regatta report: findings shown again, merged, compared. */
#include "last_run.h"
#include "paths.h"
#include "reporting.h"
#include "findings/json.h"
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

static void read_input(struct report *report, const char *path, struct symbols *symbols)
{
    struct stat status;
    char *problem;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
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

int cmd_report(int argc, char **argv)
{
    static struct reporting reporting = REPORTING_DEFAULTS;
    reporting.shows_again = true;
    static bool rules_wanted;
    static const struct option own[] = {
        {"--rules", NULL, OPTION_FLAG, &rules_wanted, "explain every rule with an example", 0, 0,
         NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(reporting), {0}};
    static const struct command command = {
        .name = "report",
        .usage = "[OPTIONS] [FINDINGS.json|DIR...]",
        .about = "Shows findings again, on standard output: those of the last run, or of what is\n"
                 "named. Several inputs become one report; a directory holds the records of a run\n"
                 "(regatta run --keep-records, regatta env).",
        .tables = {own, common},
        .more = "Exit code: 66 if the report holds errors (--exitcode), else 0; 2 wrong usage.",
    };
    int next = options_parse(&command, argc, argv);
    char *directory = paths_working_directory();
    reporting_prepare(&reporting, directory);
    if (rules_wanted) {
        text_rules(stdout, &reporting.style);
        return fflush(stdout) == 0 ? 0 : EXIT_INTERNAL;
    }
    unsetenv("DEBUGINFOD_URLS"); /* no network for symbols of other people's libraries */
    struct symbols *symbols = symbols_new(directory);
    struct report *report = report_new("run");
    if (next >= argc)
        read_last(report);
    for (; next < argc; next++)
        read_input(report, argv[next], symbols);
    int code = reporting_finish(&reporting, report, 0, NULL);
    report_free(report);
    symbols_free(symbols);
    free(directory);
    return code;
}
