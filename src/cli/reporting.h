/* The options and steps that all commands with a report share. */
#ifndef REGATTA_CLI_REPORTING_H
#define REGATTA_CLI_REPORTING_H

#include "cli.h"
#include "options.h"
#include "findings/filter.h"
#include "findings/finding.h"
#include "findings/text.h"

struct reporting {
    /* options */
    const char *json;
    const char *suppressions;
    const char *baseline;
    const char *color;
    bool werror;
    bool strict;
    int exitcode;
    bool quiet;
    bool verbose;
    /* made ready by reporting_prepare */
    bool prepared;
    struct suppressions *loaded_suppressions;
    struct report *loaded_baseline;
    struct text_style style;
};

#define REPORTING_DEFAULTS {.color = "auto", .exitcode = EXIT_FINDINGS}

/* Rows for an option table. */
#define REPORTING_OPTIONS(r)                                                                       \
    {"--json", "FILE", OPTION_TEXT, &(r).json, "write the findings as JSON", 0, 0, NULL},          \
        {"--suppressions",                                                                         \
         "FILE",                                                                                   \
         OPTION_TEXT,                                                                              \
         &(r).suppressions,                                                                        \
         "leave out what matches its rule:pattern lines",                                          \
         0,                                                                                        \
         0,                                                                                        \
         NULL},                                                                                    \
        {"--baseline",                                                                             \
         "FILE",                                                                                   \
         OPTION_TEXT,                                                                              \
         &(r).baseline,                                                                            \
         "report only what is not in this findings JSON",                                          \
         0,                                                                                        \
         0,                                                                                        \
         NULL},                                                                                    \
        {"--werror", NULL, OPTION_FLAG, &(r).werror, "let warnings set the exit code, too",        \
         0,          0,    NULL},                                                                  \
        {"--strict", NULL, OPTION_FLAG, &(r).strict, "exit code 3 if something was not looked at", \
         0,          0,    NULL},                                                                  \
        {"--exitcode", "N", OPTION_NUMBER, &(r).exitcode, "exit code if errors are found (66)", 0, \
         255,          NULL},                                                                      \
        {"--color", "WHEN", OPTION_CHOICE,      &(r).color, "auto, always or never",               \
         0,         0,      "auto|always|never"},                                                  \
        {"--quiet", NULL, OPTION_FLAG, &(r).quiet, "no report on standard error", 0, 0, NULL},     \
    {                                                                                              \
        "--verbose", NULL, OPTION_FLAG, &(r).verbose,                                              \
            "whole call stacks, and what is done and why", 0, 0, NULL                              \
    }

/* Reads suppressions and baseline and makes sure that the output can be written, before anything
 * is run; ends the program with 2 if not. A second call does nothing. */
void reporting_prepare(struct reporting *reporting, const char *working_directory);

/* Settles the report, filters it, writes files, shows it on standard error and returns the exit
 * code: that for findings, else `otherwise`, else that for limits if --strict. Findings whose ids
 * are in `shown` were shown already. */
int reporting_finish(struct reporting *reporting, struct report *report, int otherwise,
                     const struct report *shown);

/* Shows on standard error those findings of `report` that are not in `shown` and not filtered. */
void reporting_show_new(struct reporting *reporting, struct report *report,
                        const struct report *shown);

#endif
