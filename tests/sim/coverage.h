/* What the programs of a run reached: a rule that never decided anything was never tested. */
#ifndef REGATTA_SIM_COVERAGE_H
#define REGATTA_SIM_COVERAGE_H

#include "oracle.h"

struct coverage {
    uint64_t programs, raced, pairs, events, sampled;
    uint64_t steps[STEP_KINDS];
    uint64_t racing[ACCESS_KINDS][ACCESS_KINDS]; /* in so many programs */
    uint64_t compatible[ACCESS_KINDS][ACCESS_KINDS];
    uint64_t decisive[ORACLE_RULES]; /* of the sampled programs: other races without the rule */
};

void coverage_add(struct coverage *coverage, const struct trace *trace,
                  const struct oracle_result *result, bool sample);
void coverage_print(FILE *file, const struct coverage *coverage);

/* How many rules decided nothing, step kinds did not occur or cells of the conflict table were not
 * met; each is named on `file`. */
size_t coverage_gaps(FILE *file, const struct coverage *coverage);

#endif
