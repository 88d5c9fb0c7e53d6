#include "reporting.h"
#include "findings/json.h"
#include "findings/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_color(const char *when)
{
    const char *no_color = getenv("NO_COLOR"); /* no-color.org */
    if (!strcmp(when, "auto"))
        return isatty(STDERR_FILENO) && !(no_color && *no_color);
    return !strcmp(when, "always");
}

void reporting_prepare(struct reporting *reporting, const char *working_directory)
{
    char *problem = NULL;
    if (reporting->prepared)
        return;
    reporting->prepared = true;
    reporting->style = (struct text_style){.color = wants_color(reporting->color),
                                           .stacks = reporting->verbose,
                                           .directory = working_directory};
    if (reporting->json && !output_possible(reporting->json))
        fail(EXIT_USAGE, "cannot write %s: %s", reporting->json, strerror(errno));
    if (reporting->suppressions) {
        reporting->loaded_suppressions =
            suppressions_read(reporting->suppressions, working_directory, &problem);
        if (!reporting->loaded_suppressions)
            fail(EXIT_USAGE, "%s", problem);
    }
    if (reporting->baseline) {
        reporting->loaded_baseline = report_new("run");
        if (!json_read_report(reporting->loaded_baseline, reporting->baseline, &problem))
            fail(EXIT_USAGE, "%s", problem);
        report_settle(reporting->loaded_baseline);
    }
}

static bool write_json(FILE *out, const void *what)
{
    return json_write_report(what, out);
}

static bool contains(const struct report *report, const char *id)
{
    for (size_t i = 0; report && i < report->finding_count; i++)
        if (!strcmp(report->findings[i].id, id))
            return true;
    return false;
}

/* Returns a phrase for the summary on what was left out, in the report's memory, or NULL. */
static const char *filter(const struct reporting *reporting, struct report *report)
{
    const char *phrase = NULL;
    report_settle(report);
    if (reporting->loaded_suppressions) {
        size_t count = filter_suppressed(report, reporting->loaded_suppressions);
        if (count)
            phrase = report_textf(report, " · %zu suppressed", count);
    }
    if (reporting->loaded_baseline) {
        size_t count = filter_known(report, reporting->loaded_baseline);
        if (count)
            phrase = report_textf(report, "%s · %zu known", phrase ? phrase : "", count);
    }
    return phrase;
}

static void show(const struct reporting *reporting, struct report *report,
                 const struct report *shown, bool counted)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        if (contains(shown, report->findings[i].id))
            continue;
        text_finding(stderr, report, &report->findings[i], &reporting->style, counted);
        fputc('\n', stderr);
    }
}

void reporting_show_new(struct reporting *reporting, struct report *report,
                        const struct report *shown)
{
    filter(reporting, report);
    if (!reporting->quiet)
        show(reporting, report, shown, false);
    fflush(stderr);
}

int reporting_finish(struct reporting *reporting, struct report *report, int otherwise,
                     const struct report *shown)
{
    const char *left_out = filter(reporting, report);
    if (!reporting->quiet) {
        fflush(stdout);
        show(reporting, report, shown, true);
        if (reporting->json)
            left_out = report_textf(report, "%s · full report: %s", left_out ? left_out : "",
                                    reporting->json);
        text_summary(stderr, report, &reporting->style, left_out);
    }
    if (reporting->json && !output_write(reporting->json, write_json, report))
        fail(EXIT_INTERNAL, "cannot write %s: %s", reporting->json, strerror(errno));
    size_t grave = report_count(report, SEVERITY_ERROR);
    if (reporting->werror)
        grave += report_count(report, SEVERITY_WARNING);
    /* --exitcode 0 asks that findings do not change the program's own code. */
    if (grave && reporting->exitcode)
        return reporting->exitcode;
    return !otherwise && reporting->strict && report->limit_count ? EXIT_LIMITS : otherwise;
}
