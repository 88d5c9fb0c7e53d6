/* Races of one function as findings with places and reasons. */
#ifndef REGATTA_ANALYZE_REPORT_RACES_H
#define REGATTA_ANALYZE_REPORT_RACES_H

#include "events.h"
#include "wrappers.h"

#include "findings/finding.h"

void report_races(struct function *function, struct report *report,
                  const struct wrappers *wrappers);
/* Bytes that are buffer and target of one operation are reported once, as target (semantics §8). */
void report_once(struct report *report);

#endif
