#include "trace_json.h"
#include "json.h"

#include <string.h>

enum { MOST_EVENTS = 1000 }; /* of a trace that is read */

static void put_text(json_t *object, const char *name, const char *text)
{
    if (text)
        json_object_set_new(object, name, json_text(text));
}

static void put_number(json_t *object, const char *name, int64_t number)
{
    if (number)
        json_object_set_new(object, name, json_integer(number));
}

static json_t *write_event(const struct trace_event *event)
{
    json_t *object = json_object();
    json_object_set_new(object, "lane", json_integer((json_int_t)event->lane));
    put_text(object, "call", event->call);
    put_text(object, "role", event->role);
    put_text(object, "file", event->place.file);
    put_number(object, "line", event->place.line);
    put_text(object, "function", event->place.function);
    put_number(object, "window", event->window);
    put_number(object, "world", event->world);
    return object;
}

json_t *trace_to_json(const struct trace *trace)
{
    json_t *lanes = json_array(), *events = json_array(), *edges = json_array();
    for (size_t i = 0; i < trace->lane_count; i++) {
        json_t *lane = json_pack("{s:i}", "rank", trace->ranks[i]);
        put_number(lane, "thread", trace->threads[i]);
        json_array_append_new(lanes, lane);
    }
    for (size_t i = 0; i < trace->event_count; i++)
        json_array_append_new(events, write_event(&trace->events[i]));
    for (size_t i = 0; i < trace->edge_count; i++) {
        const struct trace_edge *edge = &trace->edges[i];
        json_t *object = json_pack("{s:i, s:i}", "from", (int)edge->from, "to", (int)edge->to);
        put_text(object, "kind", edge->kind);
        json_array_append_new(edges, object);
    }
    json_t *object = json_pack("{s:o, s:o, s:o}", "lanes", lanes, "events", events, "edges", edges);
    if (trace->ordered) {
        json_t *path = json_array();
        for (size_t i = 0; i < trace->edge_count; i++)
            if (trace->edges[i].on_path)
                json_array_append_new(path, json_integer((json_int_t)i));
        json_object_set_new(object, "path", path);
    }
    return object;
}

static size_t index_of(const json_t *object, const char *name, size_t count)
{
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value >= 0 && (size_t)value < count ? (size_t)value : 0;
}

static struct trace_event read_event(struct report *report, const json_t *object, size_t lanes)
{
    const char *role = json_plain_text(report, json_object_get(object, "role"));
    const char *call = json_plain_text(report, json_object_get(object, "call"));
    json_int_t line = json_integer_value(json_object_get(object, "line"));
    return (struct trace_event){
        .lane = index_of(object, "lane", lanes),
        .call = call ? call : "?",
        .role = role,
        .place = {.file = json_plain_text(report, json_object_get(object, "file")),
                  .line = line > 0 && line <= INT32_MAX ? (unsigned)line : 0,
                  .function = json_plain_text(report, json_object_get(object, "function"))},
        .window = json_integer_value(json_object_get(object, "window")),
        .world = json_integer_value(json_object_get(object, "world")),
    };
}

struct trace *trace_from_json(struct report *report, const json_t *object)
{
    const json_t *lanes = json_object_get(object, "lanes");
    const json_t *events = json_object_get(object, "events");
    const json_t *edges = json_object_get(object, "edges");
    size_t lane_count = json_array_size(lanes), event_count = json_array_size(events);
    size_t edge_count = json_array_size(edges);
    if (!lane_count || !event_count || lane_count > MOST_EVENTS || event_count > MOST_EVENTS ||
        edge_count > MOST_EVENTS)
        return NULL;
    struct trace *trace = obstack_alloc(&report->texts, sizeof *trace);
    *trace = (struct trace){
        .lane_count = lane_count, .event_count = event_count, .edge_count = edge_count};
    trace->ranks = obstack_alloc(&report->texts, lane_count * sizeof *trace->ranks);
    trace->threads = obstack_alloc(&report->texts, lane_count * sizeof *trace->threads);
    trace->events = obstack_alloc(&report->texts, event_count * sizeof *trace->events);
    trace->edges = obstack_alloc(&report->texts, (edge_count + 1) * sizeof *trace->edges);
    for (size_t i = 0; i < lane_count; i++) {
        const json_t *lane = json_array_get(lanes, i);
        trace->ranks[i] = (int)json_integer_value(json_object_get(lane, "rank"));
        trace->threads[i] = (int)json_integer_value(json_object_get(lane, "thread"));
    }
    for (size_t i = 0; i < event_count; i++)
        trace->events[i] = read_event(report, json_array_get(events, i), lane_count);
    for (size_t i = 0; i < edge_count; i++) {
        const json_t *edge = json_array_get(edges, i);
        trace->edges[i] = (struct trace_edge){
            .from = index_of(edge, "from", event_count),
            .to = index_of(edge, "to", event_count),
            .kind = json_plain_text(report, json_object_get(edge, "kind")),
        };
    }
    const json_t *path = json_object_get(object, "path");
    trace->ordered = json_is_array(path);
    for (size_t i = 0; edge_count && i < json_array_size(path); i++) {
        json_int_t which = json_integer_value(json_array_get(path, i));
        if (which >= 0 && (size_t)which < edge_count)
            trace->edges[which].on_path = true;
    }
    return trace;
}
