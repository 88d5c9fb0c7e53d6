/* Findings as SARIF 2.1.0, for GitHub's code scanning and for editors. */
#ifndef REGATTA_FINDINGS_SARIF_H
#define REGATTA_FINDINGS_SARIF_H

#include "finding.h"

#include <stdio.h>

/* Writes the whole report as one log with one run. GitHub's limits are kept: what is beyond the
 * first 25,000 findings is left out, and a notification says so. False on a write error. */
bool sarif_write(struct report *report, FILE *out);

#endif
