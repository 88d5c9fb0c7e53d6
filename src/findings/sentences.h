/* Facts become sentences: message, why, fix and what the two sides do, from the tables cases.def
 * and phrases.def. */
#ifndef REGATTA_FINDINGS_SENTENCES_H
#define REGATTA_FINDINGS_SENTENCES_H

#include "finding.h"

/* The names of the cases, for those who make findings without records. */
enum finding_case {
#define CASE(name, id, severity, message, why, fix, first, second) CASE_##name,
#include "cases.def"
#undef CASE
    CASES
};

const char *case_id(enum finding_case which);

/* Gives the finding its words. Its case may first become a finer one, by what is known of both
 * sides only where they are read. A case that is not in the table (of a newer runtime) leaves the
 * rule's title. */
void finding_say(struct report *report, struct finding *finding);

/* The severity that the case has by itself; false if it has none. */
bool case_severity(const char *id, enum severity *severity);

/* An error becomes a warning, and says why: the program also makes calls that are not seen. */
void finding_doubt(struct report *report, struct finding *finding, const char *unseen);
/* The same where executions went through both places and did not show it. */
void finding_was_not_met(struct report *report, struct finding *finding);

#endif
