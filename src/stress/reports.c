#include "reports.h"

#include "layer.h"
#include "interpose/finding_record.h"
#include "interpose/site_records.h"
#include "sites.h"

static int64_t keys; /* of findings; under the lock of the layer */

void report_changed(struct site *site, const struct routine *routine, bool origin, uint64_t bytes)
{
    if (site->reported)
        return;
    site->reported = true;
    struct finding_record finding = {
        .key = ++keys,
        .rule = "local-race",
        .which = origin ? CASE_BUFFER_CHANGED : CASE_BUFFER_OVERWRITTEN,
        .first = {.kind = routine_kind(routine, !origin),
                  .call = routine->name,
                  .made_by = routine->name,
                  .rank = layer.rank,
                  .access = origin ? "read" : "write",
                  .bytes = bytes,
                  .until = routine_until(routine),
                  .site = site->number},
        .has_memory = true,
        .memory = {.rank = layer.rank, .bytes = bytes},
        .missing = "completion",
    };
    finding_record_write(&finding);
}
