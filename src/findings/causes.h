/* One cause, one entry: findings that share the operation whose completion or order is missing. */
#ifndef REGATTA_FINDINGS_CAUSES_H
#define REGATTA_FINDINGS_CAUSES_H

#include "finding.h"

/* Gives each finding of a settled report its cause: the id of the first finding that has it. Of the
 * two sides the one is blamed that takes part in more findings of the rule; among equals the one
 * that MPI has yet to complete. */
void causes_find(struct report *report);

/* The blamed side of a finding. */
const struct access *finding_blamed(const struct finding *finding);

/* How many causes the findings have. */
size_t causes_count(const struct report *report);

#endif
