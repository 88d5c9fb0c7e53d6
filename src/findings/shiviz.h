/* What the processes told each other, as a log with vector clocks that ShiViz draws. */
#ifndef REGATTA_FINDINGS_SHIVIZ_H
#define REGATTA_FINDINGS_SHIVIZ_H

#include "finding.h"

#include <stdio.h>

/* An execution for all calls that are known, if the report has them, and one for each finding that
 * has a trace. False if it cannot be written. */
bool shiviz_write(struct report *report, FILE *out);

#endif
