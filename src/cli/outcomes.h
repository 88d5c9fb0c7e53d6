/* What came of a trial, against the baseline: how it ended, what it printed, what memory held. */
#ifndef REGATTA_CLI_OUTCOMES_H
#define REGATTA_CLI_OUTCOMES_H

#include "traces.h"
#include "trial.h"

#include <regex.h>

enum outcome {
    OUTCOME_SAME,
    OUTCOME_HANG,
    OUTCOME_CODE,   /* another exit code: assertion, abort, crash */
    OUTCOME_OUTPUT, /* other lines on standard output */
    OUTCOME_MEMORY, /* other bytes in a window or in received data */
    OUTCOME_BUFFER, /* the layer saw the program touch a buffer in use */
};

/* What later runs are compared with. */
struct reference {
    int code;
    char *output; /* sorted lines that count */
    bool output_varies;
    struct trace *first, *second; /* the second tells what varies by itself; may be NULL */
    const regex_t *ignored_output;
    size_t ignored_output_count;
    const char *const *ignored_windows;
};

struct comparison {
    enum outcome outcome;
    const struct traced_print *print, *before; /* OUTCOME_MEMORY */
    char *detail;                              /* OUTCOME_OUTPUT, OUTCOME_CODE: lines to show, to be freed; or NULL */
};

/* Output as it is compared: without ignored lines, sorted, because processes' lines come in any order. To be
 * freed. */
char *outcome_normalise(const struct reference *reference, const char *output);

struct comparison outcome_compare(const struct reference *reference, const struct trial *trial,
                                  const struct trace *trace);

/* Adds the finding to the report, with the command that shows it again. */
void outcome_report(struct report *report, const struct comparison *comparison, const struct trial *trial,
                    const struct trace *trace, const struct reference *reference, const char *command);

const char *outcome_name(enum outcome outcome);

#endif
