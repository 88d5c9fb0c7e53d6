/* The options and steps that all commands with a report share. */
#ifndef REGATTA_CLI_REPORTING_H
#define REGATTA_CLI_REPORTING_H

#include "cli.h"
#include "options.h"
#include "findings/filter.h"
#include "findings/finding.h"
#include "findings/selection.h"
#include "findings/text.h"

struct reporting {
    /* options; a file "-" is standard output */
    const char *json, *html, *sarif, *junit, *shiviz;
    const char *format;
    const char *suppressions;
    const char *baseline;
    const char *color;
    bool werror;
    bool strict;
    int exitcode;
    bool quiet;
    bool verbose;
    /* of the command: `report` shows on standard output what others show on standard error, and
     * keeps no copy for a later `regatta report` */
    bool shows_again;
    struct selection selection;
    const char *order;    /* of report_sort; NULL: the usual one */
    bool list;            /* a line per finding */
    const char *left_out; /* " · 3 in unchanged code": what the command itself has removed */
    /* made ready by reporting_prepare */
    bool prepared;
    struct suppressions *loaded_suppressions;
    struct report *loaded_baseline;
    struct text_style style;
    const char *directory;
    FILE *out;
};

#define REPORTING_DEFAULTS {.color = "auto", .format = "text", .exitcode = EXIT_FINDINGS}

/* Rows for an option table. What has no help of its own stands in that of the row before it: the
 * help of a command fits on one screen. */
/* clang-format off */
#define REPORTING_OPTIONS(r)                                                                       \
    {"--html", "FILE", OPTION_TEXT, &(r).html,                                                     \
     "write a page (- is stdout); also --json, --sarif, --junit, --shiviz", 0, 0, NULL},           \
    {"--json", "FILE", OPTION_TEXT, &(r).json, NULL, 0, 0, NULL},                                  \
    {"--sarif", "FILE", OPTION_TEXT, &(r).sarif, NULL, 0, 0, NULL},                                \
    {"--junit", "FILE", OPTION_TEXT, &(r).junit, NULL, 0, 0, NULL},                                \
    {"--shiviz", "FILE", OPTION_TEXT, &(r).shiviz, NULL, 0, 0, NULL},                              \
    {"--format", "HOW", OPTION_CHOICE, &(r).format,                                                \
     "show them as text, or as github or gitlab annotations", 0, 0, "text|github|gitlab"},         \
    {"--suppressions", "FILE", OPTION_TEXT, &(r).suppressions,                                     \
     "leave out its rule:pattern lines; --baseline FILE: what it has", 0, 0, NULL},                \
    {"--baseline", "FILE", OPTION_TEXT, &(r).baseline, NULL, 0, 0, NULL},                          \
    {"--exitcode", "N", OPTION_NUMBER, &(r).exitcode,                                              \
     "exit code if errors are found (66); --werror: or warnings", 0, 255, NULL},                   \
    {"--werror", NULL, OPTION_FLAG, &(r).werror, NULL, 0, 0, NULL},                                \
    {"--strict", NULL, OPTION_FLAG, &(r).strict,                                                   \
     "exit code 3 if something was not looked at", 0, 0, NULL},                                    \
    {"--verbose", NULL, OPTION_FLAG, &(r).verbose,                                                 \
     "whole call stacks; --quiet: no report; --color auto, always or never", 0, 0, NULL},          \
    {"--quiet", NULL, OPTION_FLAG, &(r).quiet, NULL, 0, 0, NULL},                                  \
    {"--color", "WHEN", OPTION_CHOICE, &(r).color, NULL, 0, 0, "auto|always|never"}
/* clang-format on */

/* Reads suppressions and baseline and makes sure that the output can be written, before anything
 * is run; ends the program with 2 if not. A second call does nothing. */
void reporting_prepare(struct reporting *reporting, const char *working_directory);

/* Settles the report, filters it, writes files, keeps it for a later `regatta report`, shows it and
 * returns the exit code: that for findings, else `otherwise`, else that for limits if --strict.
 * Findings whose ids are in `shown` were shown already. */
int reporting_finish(struct reporting *reporting, struct report *report, int otherwise,
                     const struct report *shown);

/* Shows those findings of `report` that are not in `shown` and not filtered. */
void reporting_show_new(struct reporting *reporting, struct report *report,
                        const struct report *shown);

#endif
