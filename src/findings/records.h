/* The record files of a run (README.md), read into a report. */
#ifndef REGATTA_FINDINGS_RECORDS_H
#define REGATTA_FINDINGS_RECORDS_H

#include "finding.h"
#include "symbols.h"

/* Adds what all *.records files in `directory` say: processes, findings with their source places
 * and words, limits, notes. Lines that are cut short at the end of a file are passed over, as a
 * killed process leaves them. May be called while the run goes on. On failure (the directory cannot
 * be read) returns false with errno set. */
bool records_read(struct report *report, const char *directory, struct symbols *symbols);

/* The format of records in `directory` that another version of Regatta wrote; 0 if there are none.
 */
int64_t records_other_format(const char *directory);

/* Adds a note for each kind of process end that the user should know of: ranks that were killed,
 * exited or aborted; and a limit for ranks that left no records. To be called once the run is
 * over. */
void records_note_endings(struct report *report);

/* Something that changes whenever a record was added, to see cheaply whether to read again. */
uint64_t records_size(const char *directory);

#endif
