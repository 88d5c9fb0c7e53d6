/* Findings as forges show them beside the lines of a change. */
#ifndef REGATTA_FINDINGS_ANNOTATIONS_H
#define REGATTA_FINDINGS_ANNOTATIONS_H

#include "finding.h"

#include <stdio.h>

/* GitHub's workflow commands, one line per finding: ::error file=…,line=…::… */
bool annotations_github(struct report *report, FILE *out);

/* GitLab's code quality report: a JSON array. */
bool annotations_gitlab(struct report *report, FILE *out);

#endif
