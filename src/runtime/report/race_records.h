/* Races between ranks as records. The engine of the rank that owns the memory finds them; the other
 * place is in another process, which has told its name (race_site_tell). Needs the session's lock.
 */
#ifndef REGATTA_RUNTIME_RACE_RECORDS_H
#define REGATTA_RUNTIME_RACE_RECORDS_H

#include "engine/event.h"

struct letter;
struct routine;
struct stack;

/* The engine's name for a place; records it when it is new. `at` is the call there, `made_by` the
 * one that made the operation: the two differ for persistent ones. */
site_t race_site(const struct stack *stack, const struct routine *at,
                 const struct routine *made_by);

/* The same for a load or store, whose site is not the address of its stack. */
void race_site_publish(site_t site, const struct stack *stack);
/* Lets that rank name this site in its findings: before an operation on its memory. */
void race_site_tell(site_t site, uint32_t rank);
void race_site_told(const struct letter *letter);

/* engine_report: writes the finding. */
void race_report(void *context, const struct finding *finding);
/* Writes how often each was seen. */
void race_record_counts(void);
/* No more findings: something was missed that may order accesses. */
void race_reports_stop(void);

#endif
