/* The usual outcome of a program and another one, side by side. */
#ifndef REGATTA_CLI_SIDE_BY_SIDE_H
#define REGATTA_CLI_SIDE_BY_SIDE_H

#include "outcomes.h"

/* Adds to the finding what came out otherwise, what the schedule did, and to which operations.
 * `trial` is NULL if the program varies without stress. */
void side_by_side(struct report *report, struct finding *finding,
                  const struct comparison *comparison, const struct trial *trial,
                  const struct trace *trace, const struct reference *reference);

#endif
