/* What is drawn of a chronicle: the calls around a finding, what orders two places. */
#include "chronicle_parts.h"
#include "sentences.h"

#include <stdlib.h>
#include <string.h>

/* Calls that are shown before and after an access, and other ranks that stand between the two. */
enum { SHOWN_BEFORE = 5, SHOWN_AFTER = 5, MOST_RELAYS = 2 };

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
    const struct position *path; /* what orders the two, or NULL */
    size_t path_length;
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

bool is_on_stack(const struct access *side, const struct frame *frame)
{
    for (size_t i = 0; i < side->stack.depth; i++)
        if (same_place(&side->stack.frames[i], frame))
            return true;
    return false;
}

static bool find_side_in(struct drawing *drawing, int which, const struct chronicle_side *wanted,
                         size_t l)
{
    const struct access *side = which ? &drawing->finding->second : &drawing->finding->first;
    const struct line *line = &drawing->chronicle->lines[l];
    if (wanted->after >= 0) {
        size_t node = 0;
        while (node < line->count && line->nodes[node].n < wanted->after)
            node++;
        drawing->sides[which].known = line->count > 0;
        drawing->sides[which].at = (struct position){l, node};
        return line->count > 0;
    }
    for (size_t node = line->count; side->call && node-- > 0;) {
        struct position at = {l, node};
        if (!strcmp(line->nodes[node].call, side->call) &&
            is_on_stack(side, place_of(drawing, at))) {
            drawing->sides[which].known = drawing->sides[which].is_call = true;
            drawing->sides[which].at = at;
            return true;
        }
    }
    return false;
}

/* In the line of its thread; if that is not known, in another one of its process. */
static void find_side(struct drawing *drawing, int which, const struct chronicle_side *wanted)
{
    for (int other = 0; other < 2; other++)
        for (size_t l = 0; l < drawing->chronicle->count; l++) {
            const struct line *line = &drawing->chronicle->lines[l];
            if (line->process == wanted->process && (line->thread != wanted->thread) == other &&
                find_side_in(drawing, which, wanted, l))
                return;
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
    trace->threads[lane] = line->thread;
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

static bool is_at(struct position a, struct position b)
{
    return a.line == b.line && a.node == b.node;
}

static bool is_on_path(const struct drawing *drawing, struct position from, struct position to)
{
    for (size_t i = 1; i < drawing->path_length; i++)
        if (is_at(drawing->path[i - 1], from) && is_at(drawing->path[i], to))
            return true;
    return false;
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
            .on_path = is_on_path(drawing, link->from, link->to),
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

/* Lanes stand in the order of ranks and threads. */
static void sort_lanes(struct drawing *drawing)
{
    const struct line *lines = drawing->chronicle->lines;
    for (size_t i = 1; i < drawing->count; i++)
        for (size_t k = i; k > 0; k--) {
            struct extract *a = &drawing->extracts[k - 1], *b = &drawing->extracts[k];
            const struct line *left = &lines[a->line], *right = &lines[b->line];
            if (left->rank < right->rank ||
                (left->rank == right->rank && left->thread <= right->thread))
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
    trace->threads = obstack_alloc(&report->texts, drawing->count * sizeof *trace->threads);
    for (size_t lane = 0; lane < drawing->count; lane++)
        add_lane(drawing, trace, lane, &capacity, &shown);
    trace->ordered = drawing->path != NULL;
    add_edges(drawing, trace, &shown);
    for (size_t lane = 0; lane < drawing->count; lane++)
        free(shown.events[lane]);
    trace->events = keep(report, trace->events, trace->event_count, sizeof *trace->events);
    trace->edges = keep(report, trace->edges, trace->edge_count, sizeof *trace->edges);
    return trace;
}

/* ---- what orders two places -------------------------------------------------------------------
 */

/* Where an operation is over at its target; loads, stores and other calls are at once. */
static struct position completion_of(const struct chronicle *chronicle, struct position at)
{
    static const char *const operations[] = {"MPI_Put",          "MPI_Get",
                                             "MPI_Rput",         "MPI_Rget",
                                             "MPI_Accumulate",   "MPI_Get_accumulate",
                                             "MPI_Fetch_and_op", "MPI_Compare_and_swap"};
    static const char *const ends[] = {"MPI_Win_flush",  "MPI_Win_flush_all",
                                       "MPI_Win_unlock", "MPI_Win_unlock_all",
                                       "MPI_Win_fence",  "MPI_Win_complete"};
    const struct line *line = &chronicle->lines[at.line];
    bool is_operation = false;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        is_operation = is_operation || !strcmp(line->nodes[at.node].call, operations[i]);
    for (size_t node = at.node + 1; is_operation && node < line->count; node++)
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
            if (!strcmp(line->nodes[node].call, ends[i]) &&
                line->nodes[node].window == line->nodes[at.node].window)
                return (struct position){at.line, node};
    return at;
}

/* "halo.c:57" of "src/halo.c:57" */
static bool is_place(struct report *report, const char *wanted, const struct frame *frame)
{
    const char *place = frame ? frame_place(report, frame) : "";
    size_t length = strlen(place), end = strlen(wanted);
    return length >= end && !strcmp(place + length - end, wanted) &&
           (length == end || place[length - end - 1] == '/');
}

/* The last time that a rank was at the place; false: never. */
static bool find_place(struct drawing *drawing, const char *wanted, size_t line,
                       struct position *found)
{
    for (size_t node = drawing->chronicle->lines[line].count; node-- > 0;) {
        *found = (struct position){line, node};
        if (is_place(drawing->chronicle->report, wanted, place_of(drawing, *found)))
            return true;
    }
    return false;
}

/* A search through all that can be reached, breadth first: `before` is where each was reached from.
 */
struct search {
    struct chronicle *chronicle;
    size_t *first; /* number of the first node of each line */
    size_t *before, *queue, head, tail;
};

static size_t number_in(const struct search *search, struct position at)
{
    return search->first[at.line] + at.node;
}

static struct position position_in(const struct search *search, size_t number)
{
    size_t line = search->chronicle->count - 1;
    while (search->first[line] > number)
        line--;
    return (struct position){line, number - search->first[line]};
}

static void reach(struct search *search, struct position from, struct position to)
{
    size_t number = number_in(search, to);
    if (search->before[number] != SIZE_MAX)
        return;
    search->before[number] = number_in(search, from);
    search->queue[search->tail++] = number;
}

static void reach_from(struct search *search, struct position at)
{
    const struct chronicle *chronicle = search->chronicle;
    const struct node *node = &chronicle->lines[at.line].nodes[at.node];
    if (at.node + 1 < chronicle->lines[at.line].count)
        reach(search, at, (struct position){at.line, at.node + 1});
    for (size_t i = 0; i < chronicle->link_count; i++)
        if (is_at(chronicle->links[i].from, at))
            reach(search, at, chronicle->links[i].to);
    for (size_t l = 0; node->world && l < chronicle->count; l++)
        for (size_t k = 0; k < chronicle->lines[l].count; k++)
            if (l != at.line && chronicle->lines[l].nodes[k].world == node->world)
                reach(search, at, (struct position){l, k});
}

/* The shortest way from one to the other, allocated; NULL if there is none. */
static struct position *find_path(struct chronicle *chronicle, struct position from,
                                  struct position to, size_t *length)
{
    struct search search = {.chronicle = chronicle};
    struct position *path = NULL;
    size_t nodes = 0;
    search.first = checked_malloc((chronicle->count + 1) * sizeof *search.first);
    for (size_t i = 0; i < chronicle->count; i++) {
        search.first[i] = nodes;
        nodes += chronicle->lines[i].count;
    }
    search.before = checked_malloc((nodes + 1) * sizeof *search.before);
    search.queue = checked_malloc((nodes + 1) * sizeof *search.queue);
    for (size_t i = 0; i < nodes; i++)
        search.before[i] = SIZE_MAX;
    reach(&search, from, from);
    while (search.head < search.tail)
        reach_from(&search, position_in(&search, search.queue[search.head++]));
    size_t start = number_in(&search, from), end = number_in(&search, to);
    if (search.before[end] != SIZE_MAX) {
        *length = 1;
        for (size_t at = end; at != start; at = search.before[at])
            (*length)++;
        path = checked_malloc(*length * sizeof *path);
        for (size_t at = end, i = *length; i-- > 0; at = search.before[at])
            path[i] = position_in(&search, at);
    }
    free(search.first);
    free(search.before);
    free(search.queue);
    return path;
}

static void show_path(struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->path_length; i++) {
        struct position at = drawing->path[i];
        struct extract *extract = extract_of(drawing, at.line);
        if (!extract && drawing->count < 2 + MOST_RELAYS) {
            extract = &drawing->extracts[drawing->count++];
            *extract = (struct extract){.line = at.line, .begin = at.node, .end = at.node + 1};
        }
        if (extract && at.node < extract->begin)
            extract->begin = at.node;
        if (extract && at.node >= extract->end)
            extract->end = at.node + 1;
    }
}

/* "rank 0: MPI_Win_flush (a.c:13), MPI_Send (a.c:14); rank 1: …" */
static const char *way_text(struct drawing *drawing)
{
    struct report *report = drawing->chronicle->report;
    const char *text = "";
    for (size_t i = 0; i < drawing->path_length; i++) {
        struct position at = drawing->path[i];
        bool new_line = !i || drawing->path[i - 1].line != at.line;
        const struct line *line = &drawing->chronicle->lines[at.line];
        const char *who =
            !new_line      ? ""
            : line->thread ? report_textf(report, "rank %d thread %d: ", line->rank, line->thread)
                           : report_textf(report, "rank %d: ", line->rank);
        text = report_textf(report, "%s%s%s%s (%s)", text,
                            !i         ? ""
                            : new_line ? "; "
                                       : ", ",
                            who, line->nodes[at.node].call,
                            frame_place(report, place_of(drawing, at)));
    }
    return report_textf(report, "%s.", text);
}

static struct access access_at(struct drawing *drawing, struct position at)
{
    const struct line *line = &drawing->chronicle->lines[at.line];
    const struct stack *stack =
        drawing->site(drawing->context, line->process, line->nodes[at.node].site);
    const char *call = line->nodes[at.node].call;
    bool is_call = !strncmp(call, "MPI_", 4);
    bool is_operation = !is_at(completion_of(drawing->chronicle, at), at);
    return (struct access){.present = true,
                           .kind = call,
                           .call = is_call ? call : NULL,
                           .rank = line->rank,
                           .thread = line->thread,
                           .epoch = is_operation ? "lock" : NULL,
                           .stack = stack ? *stack : (struct stack){0}};
}

static void add_drawing(struct drawing *drawing, struct position first, struct position second)
{
    struct report *report = drawing->chronicle->report;
    struct finding *finding = report_add(report);
    finding->rule = report_text(report, "order");
    finding->severity = SEVERITY_NOTE;
    finding->first = access_at(drawing, first);
    finding->second = access_at(drawing, second);
    finding->case_id = case_id(drawing->path ? CASE_ORDERED : CASE_NOT_SEEN_ORDERED);
    if (drawing->path)
        finding_add_fact(report, finding, "way", way_text(drawing));
    finding_say(report, finding);
    drawing->finding = finding;
    struct position sides[2] = {first, second};
    for (int i = 0; i < 2; i++) {
        drawing->sides[i].known = drawing->sides[i].is_call = true;
        drawing->sides[i].at = sides[i];
        show_around(drawing, i);
    }
    show_path(drawing);
    sort_lanes(drawing);
    finding->trace = draw(drawing);
}

bool chronicle_draw(struct chronicle *chronicle, chronicle_site *site, void *context)
{
    struct drawing drawing = {.chronicle = chronicle, .site = site, .context = context};
    struct position a, b;
    bool found = false;
    /* Two ranks, if there are two that were there. */
    for (int same = 0; same < 2 && !found; same++)
        for (size_t l = 0; l < chronicle->count && !found; l++)
            for (size_t m = 0; m < chronicle->count && !found; m++)
                found = (l == m) == same &&
                        find_place(&drawing, chronicle->report->draw[0], l, &a) &&
                        find_place(&drawing, chronicle->report->draw[1], m, &b);
    if (!found)
        return false;
    size_t length = 0;
    struct position *path = find_path(chronicle, completion_of(chronicle, a), b, &length);
    bool swapped = false;
    if (!path) {
        path = find_path(chronicle, completion_of(chronicle, b), a, &length);
        swapped = path != NULL;
    }
    drawing.path = path;
    drawing.path_length = length;
    add_drawing(&drawing, swapped ? b : a, swapped ? a : b);
    free(path);
    return true;
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
