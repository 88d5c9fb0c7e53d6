/* Races between ranks as records. The engine of the rank that owns the memory finds them; the other
 * place is in another process, whose records tell it (interpose/site_records.h). Needs the
 * session's lock. */
#ifndef REGATTA_RUNTIME_RACE_RECORDS_H
#define REGATTA_RUNTIME_RACE_RECORDS_H

#include "engine/event.h"

/* engine_report: writes the finding. */
void race_report(void *context, const struct finding *finding);
/* Writes how often each was seen. */
void race_record_counts(void);
/* No more findings: something was missed that may order accesses. */
void race_reports_stop(void);

#endif
