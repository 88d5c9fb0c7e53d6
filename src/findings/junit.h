/* Findings as JUnit XML, for CI servers that show tests: each error is a test that failed. */
#ifndef REGATTA_FINDINGS_JUNIT_H
#define REGATTA_FINDINGS_JUNIT_H

#include "finding.h"

#include <stdio.h>

/* One suite: a test per finding, or one that passed if there is none. Warnings and notes pass, and
 * say what they have to say; with `warnings_fail` they fail like errors. False on a write error. */
bool junit_write(struct report *report, FILE *out, bool warnings_fail);

#endif
