#include "chronicle.h"
#include "json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Calls that are shown before and after an access, and other ranks that stand between the two. */
enum { SHOWN_BEFORE = 5, SHOWN_AFTER = 5, MOST_RELAYS = 2 };

struct node {
    int64_t n, site, window, world;
    const char *call;
};

struct line {
    size_t process;
    int rank;
    int64_t first; /* number of the first event that is known; -1: none */
    struct node *nodes;
    size_t count, capacity;
};

struct position {
    size_t line, node;
};

struct link {
    struct position from, to;
    const char *kind;
};

/* A clock on its way, by all that both ends know of it. */
struct parcel {
    char *key;
    struct position at;
    UT_hash_handle hh;
};

struct counter {
    char *key;
    unsigned count;
    UT_hash_handle hh;
};

struct clock_event {
    bool sent;
    struct position at;
    int peer;
    const char *kind;
    int64_t topic, number;
};

struct chronicle {
    struct report *report;
    struct line *lines;
    size_t count, capacity;
    struct clock_event *clocks;
    size_t clock_count, clock_capacity;
    struct link *links;
    size_t link_count, link_capacity;
};

struct chronicle *chronicle_new(struct report *report)
{
    struct chronicle *chronicle = checked_malloc(sizeof *chronicle);
    *chronicle = (struct chronicle){.report = report};
    return chronicle;
}

void chronicle_free(struct chronicle *chronicle)
{
    for (size_t i = 0; i < chronicle->count; i++)
        free(chronicle->lines[i].nodes);
    free(chronicle->lines);
    free(chronicle->clocks);
    free(chronicle->links);
    free(chronicle);
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct line *line_of(struct chronicle *chronicle, size_t process, int rank)
{
    for (size_t i = 0; i < chronicle->count; i++)
        if (chronicle->lines[i].process == process)
            return &chronicle->lines[i];
    chronicle->lines = checked_grow(chronicle->lines, chronicle->count, &chronicle->capacity,
                                    sizeof *chronicle->lines);
    struct line *line = &chronicle->lines[chronicle->count++];
    *line = (struct line){.process = process, .rank = rank, .first = -1};
    return line;
}

static int64_t number_of(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static void add_clock(struct chronicle *chronicle, const struct line *line, const json_t *event)
{
    bool sent = json_is_string(json_object_get(event, "sent"));
    const char *kind =
        json_plain_text(chronicle->report, json_object_get(event, sent ? "sent" : "learnt"));
    if (!kind || !line->count)
        return;
    chronicle->clocks = checked_grow(chronicle->clocks, chronicle->clock_count,
                                     &chronicle->clock_capacity, sizeof *chronicle->clocks);
    chronicle->clocks[chronicle->clock_count++] = (struct clock_event){
        .sent = sent,
        .at = {(size_t)(line - chronicle->lines), line->count - 1},
        .peer = (int)number_of(event, "peer"),
        .kind = kind,
        .topic = number_of(event, "topic"),
        .number = number_of(event, "number"),
    };
}

void chronicle_add(struct chronicle *chronicle, size_t process, int rank, const json_t *record)
{
    struct line *line = line_of(chronicle, process, rank);
    const json_t *events = json_object_get(record, "events");
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char *call = json_plain_text(chronicle->report, json_object_get(event, "call"));
        if (line->first < 0)
            line->first = number_of(event, "n");
        if (call) {
            line->nodes =
                checked_grow(line->nodes, line->count, &line->capacity, sizeof *line->nodes);
            line->nodes[line->count++] = (struct node){
                .n = number_of(event, "n"),
                .site = number_of(event, "site"),
                .window = number_of(event, "window"),
                .call = call,
            };
        } else if (json_object_get(event, "world")) {
            if (line->count)
                line->nodes[line->count - 1].world = number_of(event, "world");
        } else {
            add_clock(chronicle, line, event);
        }
    }
}

/* ---- who learnt from whom ---- */

static unsigned count_up(struct counter **counters, const char *key)
{
    struct counter *counter;
    HASH_FIND_STR(*counters, key, counter);
    if (!counter) {
        counter = checked_malloc(sizeof *counter);
        *counter = (struct counter){.key = checked_strdup(key)};
        HASH_ADD_KEYPTR(hh, *counters, counter->key, strlen(counter->key), counter);
    }
    return ++counter->count;
}

static void free_counters(struct counter *counters)
{
    struct counter *counter, *next;
    HASH_ITER(hh, counters, counter, next)
    {
        HASH_DEL(counters, counter);
        free(counter->key);
        free(counter);
    }
}

/* Clocks of one topic arrive in the order in which they were sent. Those that are numbered are
 * known by their numbers; the others are counted, which needs all of them from the beginning. */
static char *parcel_key(struct chronicle *chronicle, struct counter **counters,
                        const struct clock_event *clock)
{
    const struct line *line = &chronicle->lines[clock->at.line];
    int from = clock->sent ? line->rank : clock->peer, to = clock->sent ? clock->peer : line->rank;
    char *key = checked_printf("%d>%d %s %" PRId64 " %" PRId64, from, to, clock->kind, clock->topic,
                               clock->number);
    if (!clock->number && line->first != 0) {
        free(key);
        return NULL;
    }
    unsigned which = count_up(counters, key);
    char *whole = checked_printf("%s #%u", key, which);
    free(key);
    return whole;
}

void chronicle_connect(struct chronicle *chronicle)
{
    struct counter *sent = NULL, *learnt = NULL;
    struct parcel *parcels = NULL, *parcel, *next;
    for (size_t i = 0; i < chronicle->clock_count; i++) {
        char *key =
            chronicle->clocks[i].sent ? parcel_key(chronicle, &sent, &chronicle->clocks[i]) : NULL;
        if (!key)
            continue;
        parcel = checked_malloc(sizeof *parcel);
        *parcel = (struct parcel){.key = key, .at = chronicle->clocks[i].at};
        HASH_ADD_KEYPTR(hh, parcels, parcel->key, strlen(parcel->key), parcel);
    }
    for (size_t i = 0; i < chronicle->clock_count; i++) {
        const struct clock_event *clock = &chronicle->clocks[i];
        char *key = clock->sent ? NULL : parcel_key(chronicle, &learnt, clock);
        if (!key)
            continue;
        HASH_FIND_STR(parcels, key, parcel);
        if (parcel) {
            chronicle->links = checked_grow(chronicle->links, chronicle->link_count,
                                            &chronicle->link_capacity, sizeof *chronicle->links);
            chronicle->links[chronicle->link_count++] =
                (struct link){parcel->at, clock->at, clock->kind};
        }
        free(key);
    }
    HASH_ITER(hh, parcels, parcel, next)
    {
        HASH_DEL(parcels, parcel);
        free(parcel->key);
        free(parcel);
    }
    free_counters(sent);
    free_counters(learnt);
}

/* ---- the trace of a finding ------------------------------------------------------------------ */

/* What is shown of a line: nodes from `begin` to below `end`, and the accesses between them. */
struct extract {
    size_t line;
    size_t begin, end;
    const struct access *accesses[2]; /* that are no calls: shown before node `before` */
    size_t before[2];
};

struct drawing {
    struct chronicle *chronicle;
    const struct finding *finding;
    chronicle_site *site;
    void *context;
    struct extract extracts[2 + MOST_RELAYS];
    size_t count;
    struct {
        bool known, is_call;
        struct position at; /* of an access that is no call: the node that it comes before */
    } sides[2];
};

static const struct frame *place_of(struct drawing *drawing, struct position at)
{
    const struct line *line = &drawing->chronicle->lines[at.line];
    const struct stack *stack =
        drawing->site(drawing->context, line->process, line->nodes[at.node].site);
    return stack ? stack_place(stack) : NULL;
}

static bool same_place(const struct frame *a, const struct frame *b)
{
    if (!a || !b)
        return false;
    if (a->file && b->file)
        return a->line == b->line && !strcmp(a->file, b->file);
    return a->module && b->module && a->offset == b->offset && !strcmp(a->module, b->module);
}

/* Whether any level of the stack is there: the call may be in a library of the program. */
static bool is_on_stack(const struct access *side, const struct frame *frame)
{
    for (size_t i = 0; i < side->stack.depth; i++)
        if (same_place(&side->stack.frames[i], frame))
            return true;
    return false;
}

static void find_side(struct drawing *drawing, int which, const struct chronicle_side *wanted)
{
    const struct access *side = which ? &drawing->finding->second : &drawing->finding->first;
    for (size_t l = 0; l < drawing->chronicle->count; l++) {
        const struct line *line = &drawing->chronicle->lines[l];
        if (line->process != wanted->process)
            continue;
        if (wanted->after >= 0) {
            size_t node = 0;
            while (node < line->count && line->nodes[node].n < wanted->after)
                node++;
            drawing->sides[which].known = line->count > 0;
            drawing->sides[which].at = (struct position){l, node};
            return;
        }
        for (size_t node = line->count; side->call && node-- > 0;) {
            struct position at = {l, node};
            if (!strcmp(line->nodes[node].call, side->call) &&
                is_on_stack(side, place_of(drawing, at))) {
                drawing->sides[which].known = drawing->sides[which].is_call = true;
                drawing->sides[which].at = at;
                return;
            }
        }
    }
}

static struct extract *extract_of(struct drawing *drawing, size_t line)
{
    for (size_t i = 0; i < drawing->count; i++)
        if (drawing->extracts[i].line == line)
            return &drawing->extracts[i];
    return NULL;
}

static void show_around(struct drawing *drawing, int which)
{
    struct position at = drawing->sides[which].at;
    size_t count = drawing->chronicle->lines[at.line].count;
    size_t begin = at.node > SHOWN_BEFORE ? at.node - SHOWN_BEFORE : 0;
    size_t end = at.node + SHOWN_AFTER + 1 < count ? at.node + SHOWN_AFTER + 1 : count;
    struct extract *extract = extract_of(drawing, at.line);
    if (!extract) {
        extract = &drawing->extracts[drawing->count++];
        *extract = (struct extract){.line = at.line, .begin = begin, .end = end};
    }
    extract->begin = begin < extract->begin ? begin : extract->begin;
    extract->end = end > extract->end ? end : extract->end;
    if (!drawing->sides[which].is_call) {
        extract->accesses[which] = which ? &drawing->finding->second : &drawing->finding->first;
        extract->before[which] = at.node;
    }
}

static bool is_shown(struct drawing *drawing, struct position at)
{
    const struct extract *extract = extract_of(drawing, at.line);
    return extract && at.node >= extract->begin && at.node < extract->end;
}

/* A rank that heard from the one and told the other stands between them. */
static void show_relays(struct drawing *drawing)
{
    size_t own = drawing->count;
    for (size_t l = 0;
         own == 2 && l < drawing->chronicle->count && drawing->count < own + MOST_RELAYS; l++) {
        if (extract_of(drawing, l))
            continue;
        bool hears[2] = {false, false}, tells[2] = {false, false};
        size_t begin = SIZE_MAX, end = 0;
        for (size_t i = 0; i < drawing->chronicle->link_count; i++) {
            const struct link *link = &drawing->chronicle->links[i];
            for (int e = 0; e < 2; e++) {
                size_t other = drawing->extracts[e].line;
                struct position at = link->to.line == l ? link->to : link->from;
                bool in =
                    link->to.line == l && link->from.line == other && is_shown(drawing, link->from);
                bool out =
                    link->from.line == l && link->to.line == other && is_shown(drawing, link->to);
                hears[e] = hears[e] || in;
                tells[e] = tells[e] || out;
                if (in || out) {
                    begin = at.node < begin ? at.node : begin;
                    end = at.node + 1 > end ? at.node + 1 : end;
                }
            }
        }
        if ((hears[0] && tells[1]) || (hears[1] && tells[0]))
            drawing->extracts[drawing->count++] =
                (struct extract){.line = l, .begin = begin, .end = end};
    }
}

static void add_event(struct trace *trace, size_t *capacity, struct trace_event event)
{
    trace->events =
        checked_grow(trace->events, trace->event_count, capacity, sizeof *trace->events);
    trace->events[trace->event_count++] = event;
}

static const char *role_of(const struct drawing *drawing, struct position at)
{
    static const char *const roles[2] = {"first", "second"};
    for (int i = 0; i < 2; i++)
        if (drawing->sides[i].known && drawing->sides[i].is_call &&
            drawing->sides[i].at.line == at.line && drawing->sides[i].at.node == at.node)
            return roles[i];
    return NULL;
}

/* Where each node that is shown stands among the events. */
struct shown {
    size_t *events[2 + MOST_RELAYS];
};

static void add_accesses(struct trace *trace, size_t *capacity, const struct extract *extract,
                         size_t lane, size_t node)
{
    for (int i = 0; i < 2; i++) {
        const struct access *access = extract->accesses[i];
        if (!access || extract->before[i] != node)
            continue;
        const struct frame *place = access_frame(access);
        add_event(trace, capacity,
                  (struct trace_event){.lane = lane,
                                       .call = access->call   ? access->call
                                               : access->kind ? access->kind
                                                              : "access",
                                       .role = i ? "second" : "first",
                                       .place = place ? *place : (struct frame){0}});
    }
}

static void add_lane(struct drawing *drawing, struct trace *trace, size_t lane, size_t *capacity,
                     struct shown *shown)
{
    const struct extract *extract = &drawing->extracts[lane];
    const struct line *line = &drawing->chronicle->lines[extract->line];
    trace->ranks[lane] = line->rank;
    shown->events[lane] = checked_malloc((extract->end - extract->begin + 1) * sizeof(size_t));
    for (size_t node = extract->begin; node <= extract->end; node++) {
        add_accesses(trace, capacity, extract, lane, node);
        if (node == extract->end)
            break;
        struct position at = {extract->line, node};
        const struct frame *place = place_of(drawing, at);
        shown->events[lane][node - extract->begin] = trace->event_count;
        add_event(trace, capacity,
                  (struct trace_event){.lane = lane,
                                       .call = line->nodes[node].call,
                                       .role = role_of(drawing, at),
                                       .place = place ? *place : (struct frame){0},
                                       .window = line->nodes[node].window,
                                       .world = line->nodes[node].world});
    }
}

static size_t event_at(struct drawing *drawing, const struct shown *shown, struct position at)
{
    const struct extract *extract = extract_of(drawing, at.line);
    return shown->events[extract - drawing->extracts][at.node - extract->begin];
}

static void add_edges(struct drawing *drawing, struct trace *trace, const struct shown *shown)
{
    size_t capacity = 0;
    for (size_t i = 0; i < drawing->chronicle->link_count; i++) {
        const struct link *link = &drawing->chronicle->links[i];
        if (!is_shown(drawing, link->from) || !is_shown(drawing, link->to))
            continue;
        trace->edges =
            checked_grow(trace->edges, trace->edge_count, &capacity, sizeof *trace->edges);
        trace->edges[trace->edge_count++] = (struct trace_edge){
            .from = event_at(drawing, shown, link->from),
            .to = event_at(drawing, shown, link->to),
            .kind = link->kind,
        };
    }
}

/* What grew on the heap becomes the report's. */
static void *keep(struct report *report, void *array, size_t count, size_t element)
{
    void *kept = count ? obstack_copy(&report->texts, array, (int)(count * element)) : NULL;
    free(array);
    return kept;
}

/* Lanes stand in the order of ranks. */
static void sort_lanes(struct drawing *drawing)
{
    const struct line *lines = drawing->chronicle->lines;
    for (size_t i = 1; i < drawing->count; i++)
        for (size_t k = i; k > 0; k--) {
            struct extract *a = &drawing->extracts[k - 1], *b = &drawing->extracts[k];
            if (lines[a->line].rank <= lines[b->line].rank)
                break;
            struct extract other = *a;
            *a = *b;
            *b = other;
        }
}

static struct trace *draw(struct drawing *drawing)
{
    struct report *report = drawing->chronicle->report;
    struct trace *trace = obstack_alloc(&report->texts, sizeof *trace);
    size_t capacity = 0;
    struct shown shown;
    *trace = (struct trace){.lane_count = drawing->count};
    trace->ranks = obstack_alloc(&report->texts, drawing->count * sizeof *trace->ranks);
    for (size_t lane = 0; lane < drawing->count; lane++)
        add_lane(drawing, trace, lane, &capacity, &shown);
    add_edges(drawing, trace, &shown);
    for (size_t lane = 0; lane < drawing->count; lane++)
        free(shown.events[lane]);
    trace->events = keep(report, trace->events, trace->event_count, sizeof *trace->events);
    trace->edges = keep(report, trace->edges, trace->edge_count, sizeof *trace->edges);
    return trace;
}

struct trace *chronicle_trace(struct chronicle *chronicle, const struct finding *finding,
                              const struct chronicle_side sides[2], chronicle_site *site,
                              void *context)
{
    struct drawing drawing = {
        .chronicle = chronicle, .finding = finding, .site = site, .context = context};
    if (!finding->second.present)
        return NULL;
    for (int i = 0; i < 2; i++) {
        find_side(&drawing, i, &sides[i]);
        if (!drawing.sides[i].known)
            return NULL;
    }
    for (int i = 0; i < 2; i++)
        show_around(&drawing, i);
    show_relays(&drawing);
    sort_lanes(&drawing);
    return draw(&drawing);
}
