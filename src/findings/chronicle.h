/* What happened around a finding: the last calls of the processes (records of type "recent"), put
 * together by what they told each other. */
#ifndef REGATTA_FINDINGS_CHRONICLE_H
#define REGATTA_FINDINGS_CHRONICLE_H

#include "finding.h"

#include <jansson.h>

struct trace_event {
    size_t lane;
    const char *call;
    const char *role;   /* "first", "second": the access itself; else NULL */
    struct frame place; /* all unknown: nowhere */
    int64_t window;     /* a number of this process; 0: none */
    int64_t world;      /* which of the synchronisations of all ranks it is; 0: none */
};

struct trace_edge {
    size_t from, to;  /* in the events */
    const char *kind; /* message, collective, post, complete, thread */
    bool on_path;     /* it is part of what orders the two */
};

struct trace {
    int *ranks, *threads; /* of the lanes */
    size_t lane_count;
    struct trace_event *events; /* those of a lane in the order in which they came */
    size_t event_count;
    bool ordered; /* the edges that are on the path say what orders the two */
    struct trace_edge *edges;
    size_t edge_count;
};

/* The calls of all processes of a run. */
struct chronicle;

struct chronicle *chronicle_new(struct report *report);
void chronicle_free(struct chronicle *chronicle);

/* The place that a site of that process stands for. */
typedef const struct stack *chronicle_site(void *context, size_t process, int64_t site);

/* Adds a record of a process, which is named by a number. */
void chronicle_add(struct chronicle *chronicle, size_t process, int rank, const json_t *record);
/* All records are in: who learnt from whom. */
void chronicle_connect(struct chronicle *chronicle);

/* One side: its process, and how many events came before it (-1: it is a call, and found by its
 * place). */
struct chronicle_side {
    size_t process;
    int thread;
    int64_t after;
};

/* Adds a note on what orders the two places of report->draw; false if a place is not among the
 * calls that are known. */
bool chronicle_draw(struct chronicle *chronicle, chronicle_site *site, void *context);

/* All of it as one trace, in the report's memory. */
struct trace *chronicle_whole(struct chronicle *chronicle, chronicle_site *site, void *context);

/* Which of its two operations a thread issued first. TURN_UNKNOWN, too, if it did so in turns, with
 * nothing between that ends them. */
enum turn { TURN_UNKNOWN, TURN_FIRST, TURN_SECOND };
enum turn chronicle_turn(struct chronicle *chronicle, const struct finding *finding,
                         const struct chronicle_side sides[2], chronicle_site *site, void *context);

/* The trace of a finding; NULL if its two sides are not among the calls that are known. */
struct trace *chronicle_trace(struct chronicle *chronicle, const struct finding *finding,
                              const struct chronicle_side sides[2], chronicle_site *site,
                              void *context);

#endif
