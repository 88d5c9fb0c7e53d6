/* Comments in the source that ask for silence about one place:
 *
 *     MPI_Isend(...);   // regatta: ignore(local-race)
 *
 * in a comment of one line, of whatever form the language has, beside the statement of either place
 * of a finding or in the comments right above it. Several rules have commas between them. */
#ifndef REGATTA_FINDINGS_IGNORES_H
#define REGATTA_FINDINGS_IGNORES_H

#include "finding.h"

/* Names a source of the program: its comments are read whether something was found there or not. */
void report_add_source(struct report *report, const char *file);

/* Removes what such comments ask for from a settled report and returns how many findings that were.
 * What they say that is no rule becomes a note, and with `unused` so does what fits no finding. */
size_t filter_ignored(struct report *report, bool unused);

#endif
