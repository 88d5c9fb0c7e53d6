#include "reporting.h"
#include "last_run.h"
#include "findings/annotations.h"
#include "findings/causes.h"
#include "findings/ignores.h"
#include "findings/json.h"
#include "findings/junit.h"
#include "findings/output.h"
#include "findings/sarif.h"
#include "findings/shiviz.h"
#include "findings/waiting.h"
#include "page/html_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_color(const char *when, FILE *out)
{
    const char *no_color = getenv("NO_COLOR"); /* no-color.org */
    if (!strcmp(when, "auto"))
        return isatty(fileno(out)) && !(no_color && *no_color);
    return !strcmp(when, "always");
}

/* ---- files ----------------------------------------------------------------------------------- */

struct writing {
    struct report *report;
    const struct reporting *reporting;
};

static bool write_json(FILE *out, const void *what)
{
    return json_write_report(((const struct writing *)what)->report, out);
}

static bool write_html(FILE *out, const void *what)
{
    return page_write(((const struct writing *)what)->report, out);
}

static bool write_sarif(FILE *out, const void *what)
{
    return sarif_write(((const struct writing *)what)->report, out);
}

static bool write_junit(FILE *out, const void *what)
{
    const struct writing *writing = what;
    return junit_write(writing->report, out, writing->reporting->werror);
}

static bool write_shiviz(FILE *out, const void *what)
{
    return shiviz_write(((const struct writing *)what)->report, out);
}

struct file {
    const char *path; /* NULL: not wanted */
    bool (*write)(FILE *out, const void *what);
};

enum { FILES = 5 };

static void list_files(const struct reporting *reporting, struct file files[FILES])
{
    files[0] = (struct file){reporting->html, write_html};
    files[1] = (struct file){reporting->json, write_json};
    files[2] = (struct file){reporting->sarif, write_sarif};
    files[3] = (struct file){reporting->junit, write_junit};
    files[4] = (struct file){reporting->shiviz, write_shiviz};
}

static void write_files(const struct reporting *reporting, struct report *report)
{
    struct writing writing = {report, reporting};
    struct file files[FILES];
    list_files(reporting, files);
    for (int i = 0; i < FILES; i++)
        if (files[i].path && !output_write(files[i].path, files[i].write, &writing))
            fail(EXIT_INTERNAL, "cannot write %s: %s", files[i].path, strerror(errno));
}

static const char *named_file(const struct reporting *reporting)
{
    struct file files[FILES];
    list_files(reporting, files);
    for (int i = 0; i < FILES; i++)
        if (files[i].path && strcmp(files[i].path, "-"))
            return files[i].path;
    return NULL;
}

/* ---- before the run ---------------------------------------------------------------------------
 */

/* Whoever asks for a file on standard output wants nothing else there. */
static void check_files(struct reporting *reporting)
{
    struct file files[FILES];
    int to_stdout = 0;
    list_files(reporting, files);
    for (int i = 0; i < FILES; i++) {
        if (files[i].path && !output_possible(files[i].path))
            fail(EXIT_USAGE, "cannot write %s: %s", files[i].path, strerror(errno));
        to_stdout += files[i].path && !strcmp(files[i].path, "-");
    }
    if (to_stdout > 1)
        fail(EXIT_USAGE, "only one file can be standard output");
    reporting->out = reporting->shows_again && !to_stdout ? stdout : stderr;
}

void reporting_prepare(struct reporting *reporting, const char *working_directory)
{
    char *problem = NULL;
    if (reporting->prepared)
        return;
    reporting->prepared = true;
    check_files(reporting);
    reporting->directory = working_directory;
    reporting->style = (struct text_style){.color = wants_color(reporting->color, reporting->out),
                                           .stacks = reporting->verbose};
    if (reporting->suppressions) {
        reporting->loaded_suppressions =
            suppressions_read(reporting->suppressions, working_directory, &problem);
        if (!reporting->loaded_suppressions)
            fail(EXIT_USAGE, "%s", problem);
    }
    if (reporting->baseline) {
        reporting->loaded_baseline = report_new("run");
        reporting->loaded_baseline->directory = working_directory;
        if (!json_read_report(reporting->loaded_baseline, reporting->baseline, &problem))
            fail(EXIT_USAGE, "%s", problem);
        report_settle(reporting->loaded_baseline);
    }
}

/* ---- after it ---------------------------------------------------------------------------------
 */

static bool contains(const struct report *report, const char *id)
{
    for (size_t i = 0; report && i < report->finding_count; i++)
        if (!strcmp(report->findings[i].id, id))
            return true;
    return false;
}

/* "· 3 suppressed" behind what was left out before, in the report's memory. */
static const char *and_left_out(struct report *report, const char *before, size_t count,
                                const char *how)
{
    return count ? report_textf(report, "%s · %zu %s", before ? before : "", count, how) : before;
}

/* Returns a phrase for the summary on what was left out, in the report's memory, or NULL. With
 * `complete` nothing will be found any more. */
static const char *filter(const struct reporting *reporting, struct report *report, bool complete)
{
    report->directory = reporting->directory;
    report_settle(report);
    size_t suppressed = filter_ignored(report, complete && reporting->verbose);
    if (reporting->loaded_suppressions) {
        suppressed += filter_suppressed(report, reporting->loaded_suppressions);
        if (reporting->shows_again) /* a run need not come by all that others have met */
            suppressions_note_unused(reporting->loaded_suppressions, report);
    }
    const char *phrase = and_left_out(report, reporting->left_out, suppressed, "suppressed");
    if (reporting->loaded_baseline)
        phrase =
            and_left_out(report, phrase, filter_known(report, reporting->loaded_baseline), "known");
    phrase = and_left_out(report, phrase,
                          filter_unselected(report, &reporting->selection, reporting->directory),
                          "not selected");
    if (phrase)
        causes_find(report); /* the finding that a cause is named after may be gone */
    if (reporting->order)
        report_sort(report, reporting->order);
    return phrase;
}

/* Those behind `index` that have the same cause, each only here. */
static size_t take_same_cause(const struct report *report, size_t index, bool *done,
                              const struct finding **others)
{
    size_t count = 0;
    for (size_t i = index + 1; i < report->finding_count; i++) {
        const char *cause = report->findings[i].cause; /* equal texts of a report are one */
        if (done[i] || !cause || cause != report->findings[index].cause)
            continue;
        others[count++] = &report->findings[i];
        done[i] = true;
    }
    return count;
}

/* A cause is told once, in the words of its first finding; with --verbose every one speaks. */
static void show(const struct reporting *reporting, struct report *report,
                 const struct report *shown, bool counted)
{
    size_t all = report->finding_count;
    bool *done = checked_malloc((all + 1) * sizeof *done);
    const struct finding **others = checked_malloc((all + 1) * sizeof *others);
    for (size_t i = 0; i < all; i++)
        done[i] = contains(shown, report->findings[i].id);
    for (size_t i = 0; i < all; i++) {
        if (done[i])
            continue;
        text_finding(reporting->out, report, &report->findings[i], &reporting->style, counted);
        size_t count = reporting->verbose ? 0 : take_same_cause(report, i, done, others);
        if (count)
            text_same_cause(reporting->out, report, others, count, &reporting->style);
        fputc('\n', reporting->out);
    }
    free(others);
    free(done);
}

static bool shows_text(const struct reporting *reporting)
{
    return !reporting->quiet && !strcmp(reporting->format, "text");
}

void reporting_show_new(struct reporting *reporting, struct report *report,
                        const struct report *shown)
{
    filter(reporting, report, false);
    if (shows_text(reporting))
        show(reporting, report, shown, false);
    fflush(reporting->out);
}

/* "halo.html" of "./halo" or "halo.c" */
static const char *page_name(struct report *report)
{
    const char *program = report->program ? report->program : "findings";
    const char *slash = strrchr(program, '/');
    program = slash && slash[1] ? slash + 1 : program;
    size_t length = strcspn(program, ".");
    bool plain = length && strspn(program, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_-") >= length;
    return plain ? report_textf(report, "%.*s.html", (int)length, program) : "findings.html";
}

/* What stands behind the counts: what was left out, and where the rest is. */
static const char *last_words(const struct reporting *reporting, struct report *report,
                              const char *left_out, bool kept)
{
    const char *file = named_file(reporting);
    left_out = left_out ? left_out : "";
    if (file)
        return report_textf(report, "%s · full report: %s", left_out, file);
    if (kept && report->finding_count)
        return report_textf(report, "%s · see it as a page: regatta report --html %s", left_out,
                            page_name(report));
    return left_out;
}

static void show_all(const struct reporting *reporting, struct report *report,
                     const struct report *shown, const char *left_out, bool kept)
{
    if (reporting->quiet)
        return;
    if (reporting->out == stderr)
        fflush(stdout);
    if (!strcmp(reporting->format, "github")) {
        annotations_github(report, reporting->out);
    } else if (!strcmp(reporting->format, "gitlab")) {
        annotations_gitlab(report, reporting->out);
    } else {
        if (reporting->list)
            text_list(reporting->out, report, &reporting->style);
        else
            show(reporting, report, shown, true);
        if (report->waiting && !reporting->list)
            waiting_show(reporting->out, report, report->waiting);
        text_summary(reporting->out, report, &reporting->style,
                     last_words(reporting, report, left_out, kept));
    }
}

int reporting_finish(struct reporting *reporting, struct report *report, int otherwise,
                     const struct report *shown)
{
    const char *left_out = filter(reporting, report, true);
    bool kept = !reporting->shows_again && last_run_keep(report);
    show_all(reporting, report, shown, left_out, kept);
    if (fflush(reporting->out) != 0 && reporting->shows_again)
        fail(EXIT_INTERNAL, "cannot write to standard output: %s", strerror(errno));
    write_files(reporting, report);
    size_t grave = report_count(report, SEVERITY_ERROR);
    if (reporting->werror)
        grave += report_count(report, SEVERITY_WARNING);
    /* --exitcode 0 asks that findings do not change the program's own code. */
    if (grave && reporting->exitcode)
        return reporting->exitcode;
    return !otherwise && reporting->strict && report->limit_count ? EXIT_LIMITS : otherwise;
}
