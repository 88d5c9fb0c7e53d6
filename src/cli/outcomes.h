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
    /* of the plain runs */
    int plain_count;
    struct trace *plain[PLAIN_MOST];
    char *outputs[PLAIN_MOST]; /* sorted lines that count */
    const regex_t *ignored_output;
    size_t ignored_output_count;
    const char *const *ignored_windows;
};

struct comparison {
    enum outcome outcome;
    const struct traced_print *print, *before; /* OUTCOME_MEMORY */
    bool varies;                               /* it is not the same in all plain runs either */
    bool once;                                 /* the same schedule, run again, ended as usual */
    char *detail; /* OUTCOME_OUTPUT, OUTCOME_CODE: lines to show, to be freed; or NULL */
};

/* Output as it is compared: without ignored lines, sorted, because processes' lines come in any
 * order. To be freed. */
char *outcome_normalise(const struct reference *reference, const char *output);

/* Whether the plain runs differ from each other, in whatever way. */
bool outcome_varies(const struct reference *reference);
enum steadiness outcome_output_steadiness(const struct reference *reference);

/* What the plain runs among themselves show: OUTCOME_SAME, or what varies between few values. */
struct comparison outcome_compare_plain(const struct reference *reference);
struct comparison outcome_compare(const struct reference *reference, const struct trial *trial,
                                  const struct trace *trace);

/* Adds the finding to the report, with the command that shows it again; NULL: plain runs do. True
 * if it is an error. (What the layer itself saw, OUTCOME_BUFFER, is one and is in its records.) */
bool outcome_report(struct report *report, const struct comparison *comparison,
                    const struct trial *trial, const struct trace *trace,
                    const struct reference *reference, const char *command);

/* A copy of the stack in the report's memory. */
struct stack outcome_stack(struct report *report, const struct stack *stack);

const char *outcome_name(enum outcome outcome);

#endif
