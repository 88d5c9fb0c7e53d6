/* What the program calls the memory that a side of a finding touches: the buffer that a call is
 * given, what an assignment stores to. By the line of the source alone, and only where it can be
 * read in one way. */
#ifndef REGATTA_FINDINGS_VARIABLES_H
#define REGATTA_FINDINGS_VARIABLES_H

#include "finding.h"

/* Names the variables of both sides, where they are known and have no name yet. */
void variables_name(struct report *report, struct finding *finding);

/* What the call at a place is given as its argument of that number, counted from 0; NULL: not
 * known. */
const char *variables_argument(struct report *report, const struct frame *place, const char *call,
                               int number);
/* … as the buffer that the side is about. */
const char *variables_buffer(struct report *report, const struct access *side);

#endif
