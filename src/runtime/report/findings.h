/* What the detector found in this process: each pair of places once, counted. Needs the session's
 * lock. */
#ifndef REGATTA_RUNTIME_FINDINGS_H
#define REGATTA_RUNTIME_FINDINGS_H

#include "interpose/finding_record.h"

struct stack;

/* Whether this pair of places (second may be NULL) is seen for the first time; if not, it is
 * counted. A true answer obliges the caller to call finding_report. */
bool finding_is_new(enum finding_case which, const struct stack *first, const struct stack *second);
/* A number for a finding that is known to be new; 0 if there are too many. */
int finding_number(void);
/* Writes the finding that got its number last to the records. */
void finding_report(struct finding_record *finding);

/* Writes how often each finding was seen. */
void findings_record_counts(void);

#endif
