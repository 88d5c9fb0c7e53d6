/* Races between ranks as records. The engine of the rank that owns the memory finds them; the other
 * place is in another process, whose records tell it (interpose/site_records.h). Needs the
 * session's lock. */
#ifndef REGATTA_RUNTIME_RACE_RECORDS_H
#define REGATTA_RUNTIME_RACE_RECORDS_H

#include "engine/event.h"

/* What one rank stored to a shared window, and this one loads: ordered or not, but one of the two
 * has not synchronised its memory. */
struct invisible_store {
    window_t window;
    uint32_t owner, writer; /* ranks */
    uint64_t offset, bytes; /* in the owner's segment */
    site_t stored, loaded;
    bool writer_synchronised; /* so it is this rank that has not, since then */
};
void race_report_invisible(const struct invisible_store *store);

/* engine_report: writes the finding. */
void race_report(void *context, const struct finding *finding);
/* Writes how often each was seen. */
void race_record_counts(void);
/* No more findings: something was missed that may order accesses. */
void race_reports_stop(void);

#endif
