#include "limits.h"

#include <string.h>

static const char *remedy(const char *kind)
{
    static const struct {
        const char *kind;
        const char *doing;
    } remedies[] = {
#define LIMIT(kind, doing) {kind, doing},
#include "limits.def"
#undef LIMIT
    };
    for (size_t i = 0; i < sizeof remedies / sizeof remedies[0]; i++)
        if (!strcmp(remedies[i].kind, kind))
            return remedies[i].doing;
    return NULL;
}

struct limit *report_limit(struct report *report, const char *kind, const char *what,
                           const char *why)
{
    for (size_t i = 0; i < report->limit_count; i++) {
        struct limit *known = &report->limits[i];
        if (!strcmp(known->kind, kind) && !strcmp(known->what, what) && !strcmp(known->why, why))
            return known;
    }
    report->limits = checked_grow(report->limits, report->limit_count, &report->limit_capacity,
                                  sizeof *report->limits);
    struct limit *limit = &report->limits[report->limit_count++];
    *limit = (struct limit){.kind = report_text(report, kind),
                            .what = report_text(report, what),
                            .why = report_text(report, why),
                            .doing = remedy(kind)};
    return limit;
}

const char *limits_phrase(struct report *report)
{
    const char *phrase = NULL;
    for (size_t i = 0; i < report->limit_count; i++) {
        const struct limit *limit = &report->limits[i];
        /* A limit of all ranks is one of the run. */
        const char *where =
            limit->ranks && limit->ranks < report->ranks
                ? report_textf(report, ", on %d of %d ranks", limit->ranks, report->ranks)
                : "";
        phrase = report_textf(report, "%s%s%s (%s%s)",
                              phrase ? phrase : "not looked at: ", phrase ? "; " : "", limit->what,
                              limit->why, where);
    }
    return phrase;
}
