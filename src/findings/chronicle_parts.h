/* The parts of a chronicle, for those who read it and those who draw it. */
#ifndef REGATTA_FINDINGS_CHRONICLE_PARTS_H
#define REGATTA_FINDINGS_CHRONICLE_PARTS_H

#include "chronicle.h"

struct node {
    int64_t n, site, window, world;
    const char *call;
    unsigned gaps; /* how often events of its process are missing before it */
};

/* A thread of a process. */
struct line {
    size_t process;
    int rank, thread;
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

struct clock_event {
    bool sent;
    struct position at;
    int peer;
    const char *kind;
    int64_t topic, number;
    bool counts; /* all that came before it are known */
};

/* A thread has learnt of another one's event. */
struct hearing {
    struct position at;
    int64_t n;
};

/* How far the events of a process are known without a gap. */
struct progress {
    size_t process;
    int64_t next;
    unsigned gaps;
};

struct chronicle {
    struct report *report;
    struct line *lines;
    size_t count, capacity;
    struct progress *progresses;
    size_t progress_count, progress_capacity;
    struct hearing *hearings;
    size_t hearing_count, hearing_capacity;
    struct clock_event *clocks;
    size_t clock_count, clock_capacity;
    struct link *links;
    size_t link_count, link_capacity;
};

/* Whether any level of the stack is there: the call may be in a library of the program. */
bool is_on_stack(const struct access *side, const struct frame *frame);

#endif
