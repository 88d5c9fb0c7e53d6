/* The file has the expression that reads it in its first line, what separates executions in the
 * second; then an event takes two lines: its text; its host and clock. The clock of a host counts
 * its own events from 1. */
#include "shiviz.h"

#include "chronicle.h"

#include <stdlib.h>
#include <string.h>

#define PARSER "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})"
#define DELIMITER "^=== (?<trace>.*) ===$"

/* Beyond that a clock is longer than anybody reads. */
enum { MOST_LANES = 128 };

#define NONE SIZE_MAX

struct log {
    struct report *report;
    const struct trace *trace;
    size_t lanes;
    size_t *before; /* the event before it in its lane; NONE: none */
    size_t *edges;  /* an edge that ends at the event, and `next` the next one that does */
    size_t *next;
    size_t *same;     /* the next event of its synchronisation of all ranks, in a circle */
    unsigned *clocks; /* `lanes` numbers per event */
    bool *done;
};

static unsigned *clock_of(const struct log *log, size_t event)
{
    return &log->clocks[event * log->lanes];
}

static bool is_logged(const struct log *log, size_t event)
{
    return log->trace->events[event].lane < log->lanes;
}

static void find_before(struct log *log)
{
    size_t last[MOST_LANES];
    for (size_t i = 0; i < log->lanes; i++)
        last[i] = NONE;
    for (size_t i = 0; i < log->trace->event_count; i++) {
        if (!is_logged(log, i))
            continue;
        log->before[i] = last[log->trace->events[i].lane];
        last[log->trace->events[i].lane] = i;
    }
}

static void find_edges(struct log *log)
{
    const struct trace *trace = log->trace;
    for (size_t i = 0; i < trace->event_count; i++)
        log->edges[i] = NONE;
    for (size_t i = 0; i < trace->edge_count; i++) {
        log->next[i] = log->edges[trace->edges[i].to];
        log->edges[trace->edges[i].to] = i;
    }
}

static int by_world(const void *a, const void *b, void *context)
{
    const struct trace_event *events = context;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    if (events[left].world != events[right].world)
        return events[left].world < events[right].world ? -1 : 1;
    return left < right ? -1 : left > right;
}

static void find_same(struct log *log)
{
    const struct trace *trace = log->trace;
    size_t *order = checked_malloc((trace->event_count + 1) * sizeof *order), count = 0;
    for (size_t i = 0; i < trace->event_count; i++)
        if (trace->events[i].world && is_logged(log, i))
            order[count++] = i;
    qsort_r(order, count, sizeof *order, by_world, trace->events);
    for (size_t i = 0, first = 0; i < count; i++) {
        bool last =
            i + 1 == count || trace->events[order[i + 1]].world != trace->events[order[i]].world;
        log->same[order[i]] = order[last ? first : i + 1];
        first = last ? i + 1 : first;
    }
    free(order);
}

/* Visits every event that comes directly before `event`: in its lane, by an edge, and all of a
 * synchronisation of all ranks if the event before it in its lane is one of them. */
typedef bool visitor(struct log *log, size_t event, size_t earlier);

static bool visit_earlier(struct log *log, size_t event, visitor *visit)
{
    const struct trace *trace = log->trace;
    size_t before = log->before[event];
    bool good = before == NONE || visit(log, event, before);
    for (size_t i = log->edges[event]; good && i != NONE; i = log->next[i])
        if (is_logged(log, trace->edges[i].from))
            good = visit(log, event, trace->edges[i].from);
    if (before == NONE || !trace->events[before].world)
        return good;
    for (size_t i = log->same[before]; good && i != before; i = log->same[i])
        good = visit(log, event, i);
    return good;
}

static bool is_done(struct log *log, size_t event, size_t earlier)
{
    (void)event;
    return log->done[earlier];
}

static bool join(struct log *log, size_t event, size_t earlier)
{
    unsigned *clock = clock_of(log, event);
    const unsigned *other = clock_of(log, earlier);
    for (size_t i = 0; log->done[earlier] && i < log->lanes; i++)
        clock[i] = other[i] > clock[i] ? other[i] : clock[i];
    return true;
}

static const char *host_name(const struct log *log, size_t lane)
{
    const struct trace *trace = log->trace;
    size_t same = 1; /* ranks of worlds that were spawned may have the number of another one */
    for (size_t i = 0; i < lane; i++)
        same += trace->ranks[i] == trace->ranks[lane] && trace->threads[i] == trace->threads[lane];
    const char *thread =
        trace->threads[lane] ? report_textf(log->report, ".thread%d", trace->threads[lane]) : "";
    const char *which = same > 1 ? report_textf(log->report, ".%zu", same) : "";
    return report_textf(log->report, "rank%d%s%s", trace->ranks[lane], thread, which);
}

static void write_event(struct log *log, size_t index, FILE *out)
{
    const struct trace_event *event = &log->trace->events[index];
    unsigned *clock = clock_of(log, index);
    visit_earlier(log, index, join);
    clock[event->lane]++;
    log->done[index] = true;
    fputs(event->call ? event->call : "event", out);
    if (event->place.file || event->place.module)
        fprintf(out, " %s", frame_place(log->report, &event->place));
    if (event->role)
        fprintf(out, " (%s access)", event->role);
    fprintf(out, "\n%s {", host_name(log, event->lane));
    const char *comma = "";
    for (size_t i = 0; i < log->lanes; i++) {
        if (!clock[i])
            continue;
        fprintf(out, "%s\"%s\":%u", comma, host_name(log, i), clock[i]);
        comma = ", ";
    }
    fputs("}\n", out);
}

/* Each behind all that came before it. What waits for itself, by a record that is wrong, goes on
 * without what it waits for. */
static void write_events(struct log *log, FILE *out)
{
    size_t left = 0;
    for (size_t i = 0; i < log->trace->event_count; i++)
        left += is_logged(log, i);
    for (bool force = false; left;) {
        size_t before = left;
        for (size_t i = 0; i < log->trace->event_count; i++) {
            if (log->done[i] || !is_logged(log, i))
                continue;
            bool in_turn = log->before[i] == NONE || log->done[log->before[i]];
            if (!visit_earlier(log, i, is_done) && !(force && in_turn))
                continue;
            write_event(log, i, out);
            force = false;
            left--;
        }
        force = left == before;
    }
}

static void write_execution(struct report *report, const struct trace *trace, const char *name,
                            FILE *out)
{
    struct log log = {.report = report,
                      .trace = trace,
                      .lanes = trace->lane_count < MOST_LANES ? trace->lane_count : MOST_LANES};
    size_t count = trace->event_count;
    log.before = checked_malloc((count + 1) * sizeof *log.before);
    log.edges = checked_malloc((count + 1) * sizeof *log.edges);
    log.same = checked_malloc((count + 1) * sizeof *log.same);
    log.next = checked_malloc((trace->edge_count + 1) * sizeof *log.next);
    log.clocks = checked_malloc((count * log.lanes + 1) * sizeof *log.clocks);
    log.done = checked_malloc((count + 1) * sizeof *log.done);
    memset(log.clocks, 0, (count * log.lanes + 1) * sizeof *log.clocks);
    memset(log.done, 0, (count + 1) * sizeof *log.done);
    find_before(&log);
    find_edges(&log);
    find_same(&log);
    fprintf(out, "=== %s", name);
    if (log.lanes < trace->lane_count)
        fprintf(out, " (%zu of %zu processes and threads)", log.lanes, trace->lane_count);
    fputs(" ===\n", out);
    write_events(&log, out);
    free(log.before);
    free(log.edges);
    free(log.same);
    free(log.next);
    free(log.clocks);
    free(log.done);
}

bool shiviz_write(struct report *report, FILE *out)
{
    fputs(PARSER "\n" DELIMITER "\n", out);
    if (report->ring)
        write_execution(report, report->ring, "the last calls of all processes", out);
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *finding = &report->findings[i];
        if (finding->trace)
            write_execution(report, finding->trace,
                            report_textf(report, "%s %s", finding->id,
                                         finding->message ? finding->message : finding->rule),
                            out);
    }
    return fflush(out) == 0 && !ferror(out);
}
