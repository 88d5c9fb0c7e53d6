/* What was not looked at. It belongs to every result: "0 errors" must not mean "stopped looking".
 */
#ifndef REGATTA_FINDINGS_LIMITS_H
#define REGATTA_FINDINGS_LIMITS_H

#include "finding.h"

/* Adds a limit: `kind` from limits.def, what was not looked at, why. An equal one that is there
 * already is returned instead. The pointer is good until the next call. */
struct limit *report_limit(struct report *report, const char *kind, const char *what,
                           const char *why);

/* "not looked at: loads and stores of ./halo (not built by regatta cc); …", in the report's memory;
 * NULL: everything was looked at. */
const char *limits_phrase(struct report *report);

#endif
