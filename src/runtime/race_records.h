/* Races between ranks as records. The engine of the rank that owns the memory finds them; the other place is in
 * another process, so each process records its own sites once and findings refer to them. Needs the session's lock. */
#ifndef REGATTA_RUNTIME_RACE_RECORDS_H
#define REGATTA_RUNTIME_RACE_RECORDS_H

#include "event.h"

struct routine;
struct stack;

/* The engine's name for a place; records it when it is new. `routine` is NULL for a load or store. */
site_t race_site(const struct stack *stack, const struct routine *routine);

/* Lets other ranks name this site in their findings. */
void race_site_publish(site_t site, const struct stack *stack, const struct routine *routine);

/* engine_report: writes the finding. */
void race_report(void *context, const struct finding *finding);
/* Writes how often each was seen. */
void race_record_counts(void);
/* No more findings: something was missed that may order accesses. */
void race_reports_stop(void);

#endif
