/* `regatta report --suppress`: entries of a suppressions file for findings that are known. */
#ifndef REGATTA_CLI_SUPPRESS_H
#define REGATTA_CLI_SUPPRESS_H

#include "reporting.h"

/* Makes the file, empty, if it is not there; ends the program with 2 if it cannot be written. */
void suppress_prepare(const char *path);

/* Adds the findings that `ids` names (whole, or so much that only one begins so; "all": those that
 * are selected, new and not suppressed) to the suppressions file, or without one prints their
 * entries. Returns the exit code. */
int suppress_findings(struct reporting *reporting, struct report *report, const char *ids);

#endif
