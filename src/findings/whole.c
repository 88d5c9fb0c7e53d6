/* All that is known of a run as one trace. */
#include "chronicle_parts.h"

#include <stdlib.h>

static int by_rank_and_thread(const void *a, const void *b, void *context)
{
    const struct line *lines = context;
    const struct line *left = &lines[*(const size_t *)a], *right = &lines[*(const size_t *)b];
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    if (left->process != right->process)
        return left->process < right->process ? -1 : 1;
    return left->thread < right->thread ? -1 : left->thread > right->thread;
}

static struct trace_event event_of(const struct line *line, const struct node *node, size_t lane,
                                   chronicle_site *site, void *context)
{
    const struct stack *stack = site(context, line->process, node->site);
    const struct frame *place = stack ? stack_place(stack) : NULL;
    return (struct trace_event){.lane = lane,
                                .call = node->call,
                                .place = place ? *place : (struct frame){0},
                                .window = node->window,
                                .world = node->world};
}

struct trace *chronicle_whole(struct chronicle *chronicle, chronicle_site *site, void *context)
{
    struct obstack *memory = &chronicle->report->texts;
    struct trace *trace = obstack_alloc(memory, sizeof *trace);
    size_t lanes = chronicle->count, events = 0;
    size_t *order = checked_malloc((lanes + 1) * sizeof *order);
    size_t *first = checked_malloc((lanes + 1) * sizeof *first); /* event of each line */
    for (size_t i = 0; i < lanes; i++) {
        order[i] = i;
        events += chronicle->lines[i].count;
    }
    qsort_r(order, lanes, sizeof *order, by_rank_and_thread, chronicle->lines);
    *trace = (struct trace){.lane_count = lanes, .edge_count = chronicle->link_count};
    trace->ranks = obstack_alloc(memory, (lanes + 1) * sizeof *trace->ranks);
    trace->threads = obstack_alloc(memory, (lanes + 1) * sizeof *trace->threads);
    trace->events = obstack_alloc(memory, (events + 1) * sizeof *trace->events);
    trace->edges = obstack_alloc(memory, (trace->edge_count + 1) * sizeof *trace->edges);
    for (size_t lane = 0; lane < lanes; lane++) {
        const struct line *line = &chronicle->lines[order[lane]];
        trace->ranks[lane] = line->rank;
        trace->threads[lane] = line->thread;
        first[order[lane]] = trace->event_count;
        for (size_t i = 0; i < line->count; i++)
            trace->events[trace->event_count++] =
                event_of(line, &line->nodes[i], lane, site, context);
    }
    for (size_t i = 0; i < chronicle->link_count; i++) {
        const struct link *link = &chronicle->links[i];
        trace->edges[i] = (struct trace_edge){.from = first[link->from.line] + link->from.node,
                                              .to = first[link->to.line] + link->to.node,
                                              .kind = link->kind};
    }
    free(order);
    free(first);
    return trace;
}
