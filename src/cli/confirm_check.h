/* regatta check --confirm: programs with findings are built and run under the detector. */
#ifndef REGATTA_CLI_CONFIRM_CHECK_H
#define REGATTA_CLI_CONFIRM_CHECK_H

#include "mpis.h"
#include "analyze/analyze.h"

/* Builds each program that has findings with checks, runs it with the processes and arguments of
 * the examples, in a directory of its own and without input, and says of each finding whether a run
 * reports it, too. What one reports is at least as grave as the run says. */
void confirm_check(const struct mpi *mpi, const struct units *units,
                   const struct analysis *analysis, struct report *report, int jobs);

#endif
