#include "reports.h"

#include <stdio.h>

#include "layer.h"
#include "interpose/record.h"
#include "sites.h"

void report_changed(struct site *site, const struct routine *routine, bool origin, uint64_t bytes)
{
    static int64_t keys;
    struct record record;
    char text[200];
    if (site->reported)
        return;
    site->reported = true;
    record_begin(&record, "finding");
    record_number(&record, "key", ++keys);
    record_string(&record, "rule", "local-race");
    record_string(&record, "severity", "error");
    snprintf(text, sizeof text, "buffer of %s was %s before the operation was complete",
             routine->name, origin ? "changed" : "written by the program");
    record_string(&record, "message", text);
    record_string(
        &record, "why",
        origin
            ? "MPI may read the buffer until the operation is complete. Its bytes when the program "
              "handed it over and at the last legal moment differ, so what is transferred depends "
              "on "
              "the schedule."
            : "MPI may write the buffer until the operation is complete, and will overwrite what "
              "the "
              "program stored there.");
    record_string(&record, "fix",
                  "Complete the operation (MPI_Wait, MPI_Win_flush_local, …) before the buffer is "
                  "used again, or "
                  "use another buffer.");
    record_object(&record, "first");
    record_string(&record, "kind", routine_kind(routine, !origin));
    record_string(&record, "call", routine->name);
    record_number(&record, "rank", layer.rank);
    record_number(&record, "thread", 0);
    snprintf(text, sizeof text, "%s %llu bytes", origin ? "reads" : "writes",
             (unsigned long long)bytes);
    record_string(&record, "detail", text);
    record_stack(&record, site->stack);
    record_object_end(&record);
    record_object(&record, "memory");
    record_string(&record, "side", "origin");
    record_number(&record, "rank", layer.rank);
    record_number(&record, "bytes", (int64_t)bytes);
    record_object_end(&record);
    record_end(&record);
}
