/* Traces as JSON, both ways. */
#ifndef REGATTA_FINDINGS_TRACE_JSON_H
#define REGATTA_FINDINGS_TRACE_JSON_H

#include "chronicle.h"

json_t *trace_to_json(const struct trace *trace);
/* NULL if it is none. */
struct trace *trace_from_json(struct report *report, const json_t *object);

#endif
