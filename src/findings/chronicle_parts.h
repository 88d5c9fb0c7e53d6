/* The parts of a chronicle, for those who read it and those who draw it. */
#ifndef REGATTA_FINDINGS_CHRONICLE_PARTS_H
#define REGATTA_FINDINGS_CHRONICLE_PARTS_H

#include "chronicle.h"

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

#endif
