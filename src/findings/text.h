/* The report as text for people. */
#ifndef REGATTA_FINDINGS_TEXT_H
#define REGATTA_FINDINGS_TEXT_H

#include "finding.h"

#include <stdio.h>

struct text_style {
    bool color;
    bool stacks; /* whole call stacks, not only where they are needed to understand */
};

/* One finding: headline, the accesses, why, fix, source excerpts, how often. `counted` is false
 * for a finding shown while the run still counts. */
void text_finding(FILE *out, struct report *report, const struct finding *finding,
                  const struct text_style *style, bool counted);

/* Findings that share the cause of the one before them, in a line each: who else meets it there. */
void text_same_cause(FILE *out, struct report *report, const struct finding *const *findings,
                     size_t count, const struct text_style *style);

/* A line per finding: id, severity, rule, places, message. */
void text_list(FILE *out, struct report *report, const struct text_style *style);

/* "regatta: 1 error, 0 warnings · 4 ranks · mpich 4.0.2 · not looked at: …", with the notes before
 * it. `extra` goes at the end of the line if not NULL. */
void text_summary(FILE *out, struct report *report, const struct text_style *style,
                  const char *extra);

struct rule;

/* A rule with its explanation, example, picture and fix; all of them. */
void text_rule(FILE *out, const struct rule *rule, const struct text_style *style);
void text_rules(FILE *out, const struct text_style *style);

#endif
