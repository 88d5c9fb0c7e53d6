/* What a finding is called by, from run to run: made of the rule, of the functions and of the text
 * of the two statements. Neither line numbers nor directories are in it, nor what the MPI, the
 * compiler or its level change. */
#ifndef REGATTA_FINDINGS_IDENTITY_H
#define REGATTA_FINDINGS_IDENTITY_H

#include "finding.h"

/* Gives an id to every finding that has none. Where several are alike in all that counts they are
 * numbered, so the order must be one that does not depend on the run: by rule and place. */
void identity_name(struct report *report);

/* The function as the source has it: without what compilers append to parts and copies of it. In
 * the report's memory; NULL if nothing is left. */
const char *function_in_source(struct report *report, const char *function);

#endif
