/* From the pages of a run to what the report says of its end. */
#ifndef REGATTA_ENDS_EXPLAIN_H
#define REGATTA_ENDS_EXPLAIN_H

#include "findings/symbols.h"
#include "findings/waiting.h"
#include "run_pages.h"

/* Where the ranks are, and whether they wait for each other in vain. In the report's memory; NULL
 * if there are no pages. */
struct waiting *explain_waiting(struct report *report, struct symbols *symbols,
                                const struct pages *pages);
/* The first process that a signal ended; NULL: none that is known. */
struct death *explain_death(struct report *report, struct symbols *symbols,
                            const struct pages *pages);
/* A note for each process that ended inside a call, as in one that MPI aborts because of an error:
 * its message names no line. The first few. */
void explain_calls(struct report *report, struct symbols *symbols, const struct pages *pages);

#endif
