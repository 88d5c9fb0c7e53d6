/* What not to report: suppressions, and findings that a baseline already knows. */
#ifndef REGATTA_FINDINGS_FILTER_H
#define REGATTA_FINDINGS_FILTER_H

#include "finding.h"

struct suppressions;

/* What stands in the place of the rule where the pattern is the id of one finding. */
#define SUPPRESSED_ID "id"

/* Reads a suppressions file: one `rule:pattern` or `id:ID` per line, # begins a comment. The rule
 * may hold wildcards, too, but must fit one that exists. File names in findings are relative to
 * `directory`. On failure returns NULL and says in `problem` (to be freed) what is wrong. */
struct suppressions *suppressions_read(const char *path, const char *directory, char **problem);
void suppressions_free(struct suppressions *suppressions);

/* Whether a pattern fits the finding: the rule, and the file, the function or the module of any
 * frame of its stacks. A file fits by its whole name, relative or absolute, or by its last parts
 * (halo.c for src/halo.c). */
bool suppressions_match(struct suppressions *suppressions, const struct finding *finding);

/* A note of the report for each entry that has fitted none of its findings so far. */
void suppressions_note_unused(const struct suppressions *suppressions, struct report *report);

/* Remove what is suppressed, or known to the baseline by id; return how many that were. */
size_t filter_suppressed(struct report *report, struct suppressions *suppressions);
size_t filter_known(struct report *report, const struct report *baseline);

#endif
